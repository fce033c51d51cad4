import CommandLineParsing
import ExternalPrograms
import StoreMigration

/// `CLASS=default` or `CLASS=COMMAND`: what replaces a policy class that a mapping model names.
struct PolicyArgument: ArgumentValue {
    let className: String
    /// The program; nil if mappings run as if they did not name the class.
    let command: ExternalProgram?

    static let expectation = "CLASS=default or CLASS=COMMAND"

    init?(argument: String) {
        guard let equals = argument.firstIndex(of: "="), equals > argument.startIndex else { return nil }
        className = String(argument[..<equals])
        let text = String(argument[argument.index(after: equals)...])
        if text == "default" {
            command = nil
        } else {
            guard let command = ExternalProgram(text) else { return nil }
            self.command = command
        }
    }

    var argument: String { "\(className)=\(command?.text ?? "default")" }
}

extension [PolicyArgument] {
    /// The classes that are ignored.
    var defaultClasses: Set<String> { Set(filter { $0.command == nil }.map(\.className)) }

    /// Returns the programs that replace classes.
    func registry(patience: Int) -> PolicyRegistry {
        var registry = PolicyRegistry()
        for policy in self {
            guard var command = policy.command else { continue }
            command.patience = Int64(patience)
            registry.register(command, as: policy.className)
        }
        return registry
    }
}
