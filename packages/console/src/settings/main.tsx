import { render } from "preact";
import { App } from "./app.tsx";
import { takeFragment } from "./fragment.ts";

// Before anything else, so that no other code sees the token in the address.
const arrival = takeFragment();
const place = document.querySelector("#settings");
if (place) {
  place.replaceChildren();
  render(<App arrival={arrival} />, place);
}
