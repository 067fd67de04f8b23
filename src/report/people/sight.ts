/** Whether the asker may see e-mail addresses and names, and search by them. */
export type Sight = { readonly isPersonal: boolean };
