import Foundation
import ManagedObjects
import ObjectSides
import TestSupport

/// A context in a process of its own.
final class ProcessSide: ObjectSide {
    private let conversation: Conversation

    /// Beside the tests.
    private static let program =
        URL(fileURLWithPath: CommandLine.arguments[0]).resolvingSymlinksInPath().deletingLastPathComponent().path
        + "/object-side"

    struct Failure: Error {
        let answer: String
    }

    init(_ stack: Stack, _ policy: MergePolicy) throws {
        conversation = try Conversation(
            Self.program, [stack.path, stack.modelPath(), "\(policy)"], joinsErrors: true)
    }

    deinit { conversation.finish() }

    @discardableResult
    func run(_ command: SideCommand) throws -> String {
        try begin(command)
        return try end()
    }

    /// Has the process begin with something; `end` waits for it.
    func begin(_ command: SideCommand) throws { try conversation.send(command.line + "\n") }

    func end() throws -> String {
        let answer = String(try conversation.answer(before: "ready\n").dropLast())
        guard !answer.hasPrefix("error: ") else { throw Failure(answer: answer) }
        return answer
    }

    func insert() throws -> Int64 {
        let answer = try run(.insert)
        guard let key = Int64(answer) else { throw Failure(answer: answer) }
        return key
    }

    func read(_ key: Int64) throws { try run(.read(key)) }
    func set(_ key: Int64, number: Int) throws { try run(.setNumber(key, number)) }
    func set(_ key: Int64, title: String) throws { try run(.setTitle(key, title)) }
    func delete(_ key: Int64) throws { try run(.delete(key)) }
    func save() throws -> Set<Int64> { Set(try run(.save).split(separator: " ").compactMap { Int64($0) }) }
    func startOver() throws { try run(.startOver) }
    func forget(_ key: Int64) throws { try run(.forget(key)) }

    func values(of key: Int64) throws -> ItemValues {
        let answer = try run(.values(key))
        guard let values = ItemValues(text: answer) else { throw Failure(answer: answer) }
        return values
    }
}
