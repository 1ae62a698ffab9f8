export const ann = 'ann.miller@example.com';
export const owner = 'owner@example.com';

/** As long as a real one. */
export const sampleToken = 'Vq3mT8bK0sYp5dZ1rXo7LfWc2NhGjE9uAaBvCtDiQk4';

/** User input that could break an email. */
export const hostile = {
  name: 'Maximiliana-Alexandra von und zu Hohenlohe-Waldenburg-Schillingsfürst <script>alert(1)</script>\nEmail: boss@example.com',
  email:
    'a.very.long.address.that.nobody.would.type.by.hand@subdomain.of.a.long.domain.example.com',
  message: `"Quoted" & <b>bold</b>\n${'loooooooooooong'.repeat(12)}\nhttps://example.org/${'path/'.repeat(30)}?a=1&b=2\n\n水漏れ 🔧 – Größe: ½"`,
} as const;
