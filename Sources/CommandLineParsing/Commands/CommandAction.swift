/// What a command line asks for.
public enum CommandAction: Sendable {
    /// Do the work of a command; the usage errors that it throws name the command.
    case run(Command.Work)
    /// Print a text (help, version, completions) that ends with a newline, and be done.
    case print(String)
}
