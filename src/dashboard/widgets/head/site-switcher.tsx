import { Link } from 'wouter';
import { titleOf, useMe, useSite } from '../../api/account.ts';
import { Arrow } from '../../ui/menu/arrow.tsx';
import { Menu, MenuItem, MenuLine } from '../../ui/menu/menu.tsx';
import styles from './head.module.css';

/** The current site and the way to others. */
export function SiteSwitcher() {
  const own = useSite();
  const { domain } = own;
  const title = titleOf(own);
  const { data } = useMe();
  const label = (
    <>
      <span>{title}</span> <Arrow />
    </>
  );
  return (
    <Menu label={label} name={`Site: ${title}`} className={styles.site ?? ''}>
      {data?.sites.map((site) => (
        <MenuItem
          key={site.id}
          render={
            <Link to={`/${site.domain}`} aria-current={site.domain === domain ? 'page' : false} />
          }
        >
          {titleOf(site)}
        </MenuItem>
      ))}
      <MenuLine />
      <MenuItem render={<Link to="/" />}>All sites</MenuItem>
      <MenuItem render={<Link to={`/${domain}/settings/general`} />}>Settings of {title}</MenuItem>
    </Menu>
  );
}
