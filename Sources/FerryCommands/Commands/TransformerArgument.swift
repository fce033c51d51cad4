import CommandLineParsing
import ExternalPrograms
import ValueTransformers

/// `NAME=COMMAND`: the program that implements a value transformer.
struct TransformerArgument: ArgumentValue {
    /// The transformer's name in the model.
    let name: String
    let command: ExternalProgram

    static let expectation = "NAME=COMMAND"

    init?(argument: String) {
        guard let equals = argument.firstIndex(of: "="), equals > argument.startIndex,
            let command = ExternalProgram(String(argument[argument.index(after: equals)...]))
        else { return nil }
        name = String(argument[..<equals])
        self.command = command
    }

    var argument: String { "\(name)=\(command.text)" }
}

extension [TransformerArgument] {
    /// The programs by the names of the transformers; if a name is given twice, the last one is used.
    var registry: ValueTransformerRegistry {
        reduce(ValueTransformerRegistry()) {
            $0.registering(ProgramTransformer($1.command, as: $1.name), as: $1.name)
        }
    }
}
