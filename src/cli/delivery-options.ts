/** Options of commands that send a message to the service: whose it is and who sent it. */
import type { Command } from 'commander'
import type { Delivery } from '../client/client.ts'

export interface DeliveryOptions {
  readonly senderIp?: string
  readonly senderEmail?: string
}

/** Adds `--sender-ip` and `--sender-email`. */
export function addDeliveryOptions(command: Command): Command {
  return command
    .option('--sender-ip <address>', 'IP address of the client that sent the messages')
    .option('--sender-email <address>', "their envelope sender; '' is the null sender")
}

export function deliveryOf({ senderIp, senderEmail }: DeliveryOptions): Omit<Delivery, 'userId'> {
  return { senderIp, senderEmail }
}
