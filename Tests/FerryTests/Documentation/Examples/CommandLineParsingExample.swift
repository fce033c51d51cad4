import CommandLineParsing

/// The options of a command: help, completions and manual pages come from this table.
struct GreetingOptions: OptionTable {
    var name = "world"
    var operands: [String] = []
    static let flags: [Flag<Self>] = [
        .value("name", short: "n", \.name, placeholder: "NAME", "Whom to greet.")
    ]
}

/// What `hello greet --name you` does: the text to print, or the work to do.
func greeting(_ words: [String], print: @escaping @Sendable (String) -> Void) throws -> CommandAction {
    let greet = Command("greet", "Greet somebody") { (options: GreetingOptions) in
        print("Hello, \(options.name)!")
        return .done
    }
    let tool = CommandTable(tool: "hello", version: "1.0", abstract: "Say hello", commands: [greet])
    return try tool.parse(words)
}
