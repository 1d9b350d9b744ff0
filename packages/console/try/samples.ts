/** Messages to try at once: written by hand, with reserved names. */
import appointment from '../../../examples/appointment.eml?raw'
import order from '../../../examples/order.eml?raw'
import phishing from '../../../examples/phishing.eml?raw'
import sale from '../../../examples/sale.eml?raw'
import code from '../samples/code.eml?raw'
import invoice from '../samples/invoice.eml?raw'
import newsletter from '../samples/newsletter.eml?raw'
import prize from '../samples/prize.eml?raw'

export interface Sample {
  readonly name: string
  /** What is to be seen on it. */
  readonly about: string
  readonly text: string
}

export const SAMPLES: readonly Sample[] = [
  {
    name: 'A parcel on hold',
    about: 'Phishing: a link shows one address and leads to another',
    text: phishing,
  },
  { name: 'A prize', about: 'Advance-fee fraud without links', text: prize },
  {
    name: 'An invoice',
    about: 'A wrapped link, hidden text and a disguised program',
    text: invoice,
  },
  { name: 'A sign-in code', about: 'Short and urgent, but not spam', text: code },
  { name: 'An order', about: 'A shop confirms what was bought', text: order },
  { name: 'An appointment', about: 'One person replies to another', text: appointment },
  { name: 'A newsletter', about: 'A harmless mailing list', text: newsletter },
  { name: 'A sale', about: 'Advertising with consent', text: sale },
]
