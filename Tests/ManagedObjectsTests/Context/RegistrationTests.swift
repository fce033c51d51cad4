import ManagedObjectModels
import ManagedObjects
import PersistentStores
import StoreFetching
import TestSupport
import Testing

/// Which objects a context has while a program takes and drops them at random, against a plain dictionary.
@Suite struct RegistrationTests {
    /// How the keys of a store lie: together, far apart, with equal low bits, below 0, and at both ends.
    enum Keys: String, CaseIterable, CustomTestStringConvertible {
        case dense, sparse, aligned, negative, extreme

        var testDescription: String { rawValue }

        func keys(_ count: Int, _ numbers: inout RandomNumbers) -> [Int64] {
            (0..<Int64(count)).map { index in
                switch self {
                case .dense: index + 1
                case .sparse: Int64.random(in: 1...(1 << 40), using: &numbers) << 8 | index
                case .aligned: (index + 1) << 32
                case .negative: -index - 1
                case .extreme: index % 2 == 0 ? Int64.min + index / 2 : Int64.max - index / 2
                }
            }
        }
    }

    @Test(arguments: Keys.allCases, [1, 15, 300]) func objectsAreFoundWhileTheyAreHeld(kind: Keys, count: Int) throws {
        var numbers = RandomNumbers(seed: UInt64(count))
        let keys = Array(Set(kind.keys(count, &numbers))).sorted()
        let stack = try Stack()
        let entity = try #require(stack.model.slot(named: "Note")) + 1
        let rows = keys.map { "(\(Self.literal($0)), \(entity), 1, 'n')" }.joined(separator: ", ")
        try stack.execute("INSERT INTO ZNOTE (Z_PK, Z_ENT, Z_OPT, ZTEXT) VALUES \(rows)")
        let context = stack.context()
        let ids = keys.map { ManagedObjectID(storeUUID: stack.store.uuid, entityName: "Note", primaryKey: $0) }
        var held: [ManagedObjectID: ManagedObject] = [:]
        for _ in 0..<20 {
            for id in ids where Int.random(in: 0..<3, using: &numbers) == 0 {
                if held[id] == nil { held[id] = try context.object(with: id) } else { held[id] = nil }
            }
            for id in ids { #expect(context.registeredObject(for: id) === held[id]) }
            #expect(Set(context.registeredObjects) == Set(held.values))
        }
        #expect(try context.fetch("Note").count == keys.count)
        for (id, object) in held { #expect(try object.objectID == id && object.text("text") == "n") }
        held = [:]
        #expect(context.registeredObjects.isEmpty)
    }

    private static func literal(_ key: Int64) -> String { key == .min ? "-9223372036854775807 - 1" : "\(key)" }
}
