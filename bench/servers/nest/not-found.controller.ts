import { All, Controller, NotFoundException } from "@nestjs/common";

/** All other paths: without a handler, Nest would not run the guards. */
@Controller()
export class NotFoundController {
  @All("*")
  notFound(): never {
    throw new NotFoundException("There is no such path.");
  }
}
