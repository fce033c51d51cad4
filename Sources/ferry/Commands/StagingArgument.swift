import CommandLineParsing
import StoreFleets

/// A command of the shell for a store, which it names with `{}`.
struct StagingArgument: ArgumentValue {
    let command: StagingCommand

    static let expectation = "a command with {}, {/} or {//} for the store"
    static let completion = ValueCompletion.nothing

    init?(argument: String) {
        guard let command = StagingCommand(argument) else { return nil }
        self.command = command
    }

    var argument: String { command.text }
}
