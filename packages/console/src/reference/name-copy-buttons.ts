/** Scalar's buttons that copy code have an icon alone. This gives them a name, as they appear. */
export function nameCopyButtons(): void {
  const name = () => {
    for (const button of document.querySelectorAll("button.scalar-code-copy:not([aria-label])")) {
      button.setAttribute("aria-label", "Copy the code");
    }
  };
  new MutationObserver(name).observe(document.body, { childList: true, subtree: true });
}
