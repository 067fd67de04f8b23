/**
 * The address of a bookmark that is clicked on a page of a site: the script is silent in this browser from the next page
 * on, or, with another click, speaks again. It says which.
 *
 * - Why a bookmark: the mark lies with the site's pages, where no other site can set it.
 */
export const OWN_VISITS_BOOKMARK =
  'javascript:void (localStorage.tributary_ignore ? delete localStorage.tributary_ignore : (localStorage.tributary_ignore = true), ' +
  'alert("From the next page on, Tributary " + (localStorage.tributary_ignore ? "ignores" : "counts") + " this browser on " + location.host + "."))';
