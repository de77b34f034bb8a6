// TypeDoc loads plugins as JavaScript. This one leaves out inherited members, so that the page shows each member once.
import { Converter, ReflectionKind } from "typedoc";

/** @param {import("typedoc").Application} app */
export function load(app) {
  app.converter.on(Converter.EVENT_RESOLVE_BEGIN, ({ project }) => {
    for (const member of project.getReflectionsByKind(ReflectionKind.All)) {
      if (member.isDeclaration() && (member.inheritedFrom || member.kindOf(ReflectionKind.Constructor))) {
        project.removeReflection(member);
      }
    }
  });
}
