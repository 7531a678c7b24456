// Elements, in one call each.

export function element(name, properties = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(properties)) {
    if (value === undefined || value === null || value === false) continue;
    if (key === 'onclick') made.addEventListener('click', value);
    else made.setAttribute(key, value === true ? '' : value);
  }
  made.append(...children);
  return made;
}

export function drawn(name, properties = {}, ...children) {
  const made = document.createElementNS('http://www.w3.org/2000/svg', name);
  for (const [key, value] of Object.entries(properties)) made.setAttribute(key, value);
  made.append(...children);
  return made;
}

// Replaces what an element holds, only where it changes: a screen reader then says it once.
export function setText(target, text) {
  if (target.textContent !== text) target.textContent = text;
}
