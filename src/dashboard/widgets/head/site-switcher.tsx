import { Link } from 'wouter';
import { useMe, useSite } from '../../account.ts';
import { Arrow } from '../../ui/menu/arrow.tsx';
import { Menu, MenuItem, MenuLine } from '../../ui/menu/menu.tsx';
import styles from './head.module.css';

/** The current site and the way to others. */
export function SiteSwitcher() {
  const { domain } = useSite();
  const { data } = useMe();
  const label = (
    <>
      <span>{domain}</span> <Arrow />
    </>
  );
  return (
    <Menu label={label} name={`Site: ${domain}`} className={styles.site ?? ''}>
      {data?.sites.map((site) => (
        <MenuItem
          key={site.id}
          render={
            <Link to={`/${site.domain}`} aria-current={site.domain === domain ? 'page' : false} />
          }
        >
          {site.domain}
        </MenuItem>
      ))}
      <MenuLine />
      <MenuItem render={<Link to="/" />}>All sites</MenuItem>
      <MenuItem render={<Link to={`/${domain}/settings/general`} />}>Settings of {domain}</MenuItem>
    </Menu>
  );
}
