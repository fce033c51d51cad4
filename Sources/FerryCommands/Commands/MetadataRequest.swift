import CommandLineParsing
import KeyedArchives
import PersistentStores

/// A request to print or change metadata.
struct MetadataRequest {
    private enum Action {
        case get(key: String?)
        case set(key: String, PropertyListValue)
        case remove(key: String)
    }

    private let path: String
    private let action: Action
    private let isJSON: Bool

    init(_ options: MetadataOptions) throws(UsageError) {
        path = options.operands[0]
        isJSON = options.isJSON
        let words = Array(options.operands.dropFirst())
        switch (words.first ?? "get", words.count) {
        case ("get", 0...2): action = .get(key: words.count > 1 ? words[1] : nil)
        case ("set", 3): action = .set(key: words[1], try Self.value(words[2], options.type))
        case ("remove", 2): action = .remove(key: words[1])
        case ("set", _): throw .missing(words.count > 1 ? "VALUE" : "KEY")
        case ("remove", 1): throw .missing("KEY")
        case ("get", _), ("remove", _):
            throw UsageError(.surplusOperand, words[2], expected: "\(words[0]) KEY")
        case (let word, _): throw .badOperand(word, expected: "get, set or remove", among: ["get", "set", "remove"])
        }
        if options.type != nil {
            guard case .set = action else { throw .dependent("--type", on: "set") }
        }
        switch action {
        case .set(let key, _), .remove(let key):
            if StoreMetadata.isReserved(key) {
                throw .badOperand(key, expected: "a key of your own; those with NS in front are Core Data's")
            }
        case .get: break
        }
    }

    private static func value(
        _ word: String, _ type: MetadataValueType?
    ) throws(UsageError) -> PropertyListValue {
        guard let type else { return MetadataValueType.inferred(word) }
        guard let value = type.value(word) else {
            throw .badValue(word, of: "--type \(type)", expected: type.expectation)
        }
        return value
    }

    func run() throws -> ExitStatus {
        switch action {
        case .get(let key):
            let metadata = try StoreMetadata.read(storeAt: path).dictionary
            guard let key else {
                Console.print(isJSON ? try MetadataText.json(.dictionary(metadata)) : MetadataText.lines(metadata))
                return .done
            }
            guard let value = metadata[key] else { return missing(key) }
            Console.print(isJSON ? try MetadataText.json(value) : MetadataText.text(value))
        case .set(let key, let value):
            return try update { $0.entries[key] = value }
        case .remove(let key):
            guard try StoreMetadata.read(storeAt: path).entries[key] != nil else { return missing(key) }
            return try update { $0.entries[key] = nil }
        }
        return .done
    }

    private func update(_ change: (inout StoreMetadata) throws -> Void) throws -> ExitStatus {
        Cancellation.watchSignals()
        let unsynchronized = try StoreMetadata.update(
            storeAt: path, isCancelled: { Cancellation.isRequested }, change)
        guard let unsynchronized else { return .done }
        Console.note("warning: \(unsynchronized.durabilityNote(path))\n")
        return .findings
    }

    private func missing(_ key: String) -> ExitStatus {
        Console.note("ferry: \(path): the metadata have no key \"\(key)\"\n")
        return .findings
    }
}
