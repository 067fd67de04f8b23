/** What somebody tells an assistant so that it adds Tributary to a repository. */
export function toAssistantPrompt(server: string, { tag }: { readonly tag: string }): string {
  return `Add Tributary, web analytics that follows revenue to its source, to this repository. Read ${server}/llms.txt and follow it: put ${tag} into the <head> of every page, and report goals and payments from the backend with the visitor's id. The API key is in the environment variable TRIBUTARY_KEY; write it into no file that is committed. Change nothing else, and tell me at the end how to check that it works.`;
}
