import CommandLineParsing
import StoreFleets

/// A shell command for a store, with `{}` in place of the store.
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
