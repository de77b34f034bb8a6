import { All, Controller, NotFoundException } from "@nestjs/common";

/** Every other path, so that the guards run there too. */
@Controller()
export class NowhereController {
  @All("*")
  nowhere(): never {
    throw new NotFoundException("There is no such path.");
  }
}
