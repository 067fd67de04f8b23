import { Link, useLocation } from 'wouter';
import { keptSearch, useView } from '../../address/address.ts';
import { titleOf, useSite } from '../../api/account.ts';
import { Arrow } from '../../ui/menu/arrow.tsx';
import { Menu, MenuItem } from '../../ui/menu/menu.tsx';
import styles from './head.module.css';
import { LiveCount } from './live-count.tsx';
import { Mark } from './mark.tsx';
import { namesOfPath, usePageTitle } from './page-title.ts';
import { PersonMenu } from './person-menu.tsx';
import { SECTIONS } from './sections.ts';
import { SiteSwitcher } from './site-switcher.tsx';

/** The header of a site's pages: the site, live visitors, and navigation. */
export function Head() {
  const site = useSite();
  const { domain } = site;
  const [view] = useView();
  const [location] = useLocation();
  const path = location.replace(/\/$/, '');
  usePageTitle(...namesOfPath(path), titleOf(site));
  const links = SECTIONS.map(({ label, path: section }) => ({
    label,
    to: `/${domain}${section}${keptSearch(view)}`,
    isHere: section === '' ? path === `/${domain}` : path.startsWith(`/${domain}${section}`),
  }));
  return (
    <header className={styles.head}>
      <Link to="/" className={styles.mark} aria-label="All sites">
        <Mark />
      </Link>
      <SiteSwitcher />
      <LiveCount />
      <nav className={styles.sections} aria-label="Sections">
        {links.map(({ label, to, isHere }) => (
          <Link
            key={label}
            to={to}
            className={styles.section}
            aria-current={isHere ? 'page' : false}
          >
            {label}
          </Link>
        ))}
      </nav>
      <Menu
        label={
          <>
            Menu <Arrow />
          </>
        }
        className={`${styles.section} ${styles.menu}`}
        align="end"
      >
        {links.map(({ label, to, isHere }) => (
          <MenuItem key={label} render={<Link to={to} aria-current={isHere ? 'page' : false} />}>
            {label}
          </MenuItem>
        ))}
      </Menu>
      <PersonMenu />
    </header>
  );
}
