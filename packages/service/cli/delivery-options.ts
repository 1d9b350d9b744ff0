/** The metadata of a message in commands: who sent it, and that it comes from a folder. */

import type { Delivery } from '../../client/client.ts'
import type { Facts } from '../../mail/signals/signal.ts'
import type { Command } from '../../terminal/command.ts'

export interface DeliveryOptions {
  readonly senderIp?: string
  readonly senderEmail?: string
}

/** Adds `--sender-ip` and `--sender-email`. */
export function addDeliveryOptions(command: Command): Command {
  return command
    .option('--sender-ip <address>', 'IP address of the client that sent the messages')
    .option('--sender-email <address>', "envelope sender of the messages; '' is the null sender")
}

export function deliveryOf({ senderIp, senderEmail }: DeliveryOptions): Omit<Delivery, 'userId'> {
  return { senderIp, senderEmail, arrivalFallback: 'date' }
}

/** The metadata of a message that is judged here. */
export function factsHere(): Facts {
  return { now: new Date(), arrivalFallback: 'date' }
}
