/** commander's command, with what most of our commands have. */
import { Command as BareCommand } from 'commander'

export class Command extends BareCommand {
  override createCommand(name?: string): Command {
    return new Command(name)
  }

  /** What the help says below the options: what else is to know, and examples. */
  notes(text: string): this {
    return this.addHelpText('after', text)
  }
}
