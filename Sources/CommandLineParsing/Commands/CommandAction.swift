/// The action that a command line requests.
public enum CommandAction: Sendable {
    /// Do the work of a command; usage errors that it throws name the command.
    case run(Command.Work)
    /// Print a text (help, version, completions) that ends with a newline, and exit.
    case print(String)
}
