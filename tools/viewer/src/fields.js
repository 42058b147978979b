import { array, digits } from './data.js';

// Stress and damage at the nodes of bodies: names for the choice of colours, legends, texts of a node, hot spots.

export function fieldNames(bodies) {
  return [...new Set(bodies.flatMap((body) => body.fields.map((field) => field.name)))];
}

// Of bodies with the field, one map for all would hide the weaker one: each has its own; the legend is that of the first.
export function fieldLegend(bodies, name) {
  const body = bodies.find((each) => each.fields.some((field) => field.name === name));
  if (!body) return { peak: 0, unit: '', signed: false };
  const field = body.fields.find((each) => each.name === name);
  const { low, high } = body.range(name);
  return { peak: high, low, unit: field.unit || name, signed: false };
}

export function fieldTexts(body, node) {
  return body.fields.map((field) => {
    const value = body.valuesOf(field)[node];
    return [field.name, Number.isFinite(value) ? digits(value) + (field.unit ? ' ' + field.unit : '') : '–'];
  });
}

// The list of hot spots: `go(spot)` is called by a click.
export function spotList(spots, go) {
  const list = document.createElement('div');
  list.className = 'list spots';
  list.setAttribute('role', 'listbox');
  list.setAttribute('aria-label', 'hot spots');
  list.innerHTML = '<div class="head"><span>#</span><span>place</span><span></span></div>';
  const withDamage = spots.some((spot) => spot.damage !== undefined);
  list.querySelector('.head span:last-child').textContent = withDamage ? 'damage' : 'v. Mises Pa';
  spots.forEach((spot, i) => {
    const item = document.createElement('button');
    item.type = 'button';
    item.setAttribute('role', 'option');
    item.title = `${spot.place}: ${digits(spot.von_mises)} Pa`;
    for (const text of [i + 1, spot.place, digits(withDamage ? spot.damage : spot.von_mises, 3)]) {
      const cell = document.createElement('span');
      cell.textContent = text;
      item.append(cell);
    }
    item.onclick = () => {
      for (const each of list.querySelectorAll('button')) each.setAttribute('aria-selected', String(each === item));
      go(spot);
    };
    list.append(item);
  });
  return list;
}

// The history of a spot for the plots, and its cycles by range and mean.
export function spotHistory(spot) {
  return spot.history ? [{ label: '', times: array(spot.times), values: array(spot.history) }] : [];
}
export function spotCycles(spot) {
  return spot.ranges ? { ranges: array(spot.ranges), means: array(spot.means), counts: array(spot.counts) } : null;
}
