import ManagedObjectModels
import ManagedObjects
import PersistentStores
import TestSupport
import Testing

/// Two contexts, each with a coordinator of its own as two programs have, work on one store in random turns; who wins, and
/// what is a conflict, is held against plain lists of values.
@Suite struct InterleavingTests {
    private static let seeds = Array(
        0..<UInt64(TestSettings.number("FERRY_OBJECT_PROGRAMS", default: TestSettings.triesEverySeed ? 40 : 10)))

    private struct Values: Equatable {
        var number: Int?
        var title: String?
    }

    /// What one of the two knows of an object.
    private struct Known {
        var snapshot: Values
        var current: Values
        var isDeleted = false
        var object: ManagedObject

        var isChanged: Bool { snapshot != current }
    }

    private final class Side {
        let context: ManagedObjectContext
        var known: [ManagedObjectID: Known] = [:]

        init(_ context: ManagedObjectContext) { self.context = context }
    }

    private final class Run {
        let stack: Stack
        let sides: [Side]
        var store: [ManagedObjectID: Values] = [:]
        var numbers: RandomNumbers
        var conflictCount = 0

        init(_ seed: UInt64) throws {
            numbers = RandomNumbers(seed: seed)
            stack = try Stack()
            let policies = MergePolicy.allCases
            sides = try (0..<2).map { [stack, numbers] side in
                _ = numbers
                let coordinator = PersistentStoreCoordinator(model: stack.model)
                try coordinator.addStore(at: stack.path)
                let context = ManagedObjectContext(coordinator)
                context.mergePolicy = policies[Int(seed + UInt64(side) * 2) % policies.count]
                return Side(context)
            }
        }

        func step() throws {
            let side = sides[Int.random(in: 0..<2, using: &numbers)]
            let id = store.keys.sorted { $0.primaryKey < $1.primaryKey }.randomElement(using: &numbers)
            switch Int.random(in: 0..<10, using: &numbers) {
            case 0: try insert(side)
            case 1..<3: if let id { try read(id, side) }
            case 3..<6: try change(side)
            case 6: try delete(side)
            default: try save(side)
            }
        }

        private func insert(_ side: Side) throws {
            guard store.count < 6, !side.context.hasChanges else { return }
            let object = try side.context.make("Project", ["number": .integer(0)])
            try side.context.save()
            store[object.objectID] = Values(number: 0)
            side.known[object.objectID] = Known(
                snapshot: Values(number: 0), current: Values(number: 0), object: object)
        }

        /// Reads an object, unless it was read before: what was read stays.
        private func read(_ id: ManagedObjectID, _ side: Side) throws {
            guard side.known[id] == nil, let values = store[id] else { return }
            let object = try side.context.existingObject(with: id)
            side.known[id] = Known(snapshot: values, current: values, object: object)
        }

        private func pick(_ side: Side) -> ManagedObjectID? {
            side.known.filter { !$0.value.isDeleted }.keys.sorted { $0.primaryKey < $1.primaryKey }
                .randomElement(using: &numbers)
        }

        private func change(_ side: Side) throws {
            guard let id = pick(side), var known = side.known[id] else { return }
            let number = Int.random(in: 0..<3, using: &numbers)
            if Bool.random(using: &numbers) {
                known.current.number = number
                try known.object.set("number", .integer(Int64(number)))
            } else {
                known.current.title = "\(number)"
                try known.object.set("title", .string("\(number)"))
            }
            side.known[id] = known
        }

        private func delete(_ side: Side) throws {
            guard Int.random(in: 0..<3, using: &numbers) == 0, let id = pick(side), let object = side.known[id]?.object
            else { return }
            side.known[id]?.isDeleted = true
            try side.context.delete(object)
        }

        // MARK: Saving by the rules

        private func save(_ side: Side) throws {
            let changed = side.known.filter { $0.value.isDeleted || $0.value.isChanged }
            let conflicts = Set(
                changed.filter { id, known in
                    guard let values = store[id] else { return !known.isDeleted }
                    return values != known.snapshot
                }.keys)
            let policy = side.context.mergePolicy
            if policy == .error, !conflicts.isEmpty {
                let error = #expect(throws: MergeConflictError.self) { try side.context.save() }
                #expect(Set(error?.conflictList.map(\.objectID) ?? []) == conflicts)
                conflictCount += 1
                // Whoever loses begins again.
                side.context.rollback()
                try side.context.refreshAllObjects()
                side.known = [:]
                return
            }
            conflictCount += conflicts.isEmpty ? 0 : 1
            try side.context.save()
            for (id, known) in changed { settle(id, known, side, policy, isConflict: conflicts.contains(id)) }
        }

        private func settle(
            _ id: ManagedObjectID, _ known: Known, _ side: Side, _ policy: MergePolicy, isConflict: Bool
        ) {
            let keepsOwn = policy == .overwrite || policy == .mergeByPropertyObjectTrump
            guard !known.isDeleted else {
                if isConflict, !keepsOwn {
                    side.known[id] = store[id].map { Known(snapshot: $0, current: $0, object: known.object) }
                } else {
                    store[id] = nil
                    side.known[id] = nil
                }
                return
            }
            guard let there = store[id] else {
                store[id] = keepsOwn ? known.current : nil
                let saved = Known(snapshot: known.current, current: known.current, object: known.object)
                side.known[id] = keepsOwn ? saved : nil
                return
            }
            var result = there
            func merge<Value: Equatable>(_ key: WritableKeyPath<Values, Value>) {
                let isOwn = known.current[keyPath: key] != known.snapshot[keyPath: key]
                let isTheirs = there[keyPath: key] != known.snapshot[keyPath: key]
                let winsOwn =
                    switch policy {
                    case .error: isOwn
                    case .mergeByPropertyStoreTrump: isOwn && !isTheirs
                    case .mergeByPropertyObjectTrump: isOwn
                    case .overwrite: true
                    case .rollback: isOwn && !isConflict
                    }
                if winsOwn { result[keyPath: key] = known.current[keyPath: key] }
            }
            merge(\.number)
            merge(\.title)
            store[id] = result
            side.known[id] = Known(snapshot: result, current: result, object: known.object)
        }

        // MARK: What is there

        func check() throws {
            let rows = try stack.rows("SELECT Z_PK, ZNUMBER, ZTITLE FROM ZPROJECT ORDER BY 1")
            let expected = store.sorted { $0.key.primaryKey < $1.key.primaryKey }.map { id, values in
                "\(id.primaryKey)|\(values.number.map { "\($0)" } ?? "NULL")|\(values.title.map { "'\($0)'" } ?? "NULL")"
            }
            #expect(rows == expected)
            for side in sides {
                for (_, known) in side.known where !known.isDeleted {
                    #expect(try known.object.number("number") == known.current.number)
                    #expect(try known.object.text("title") == known.current.title)
                }
            }
        }
    }

    @Test(arguments: seeds) func turns(seed: UInt64) throws {
        let run = try Run(seed)
        for _ in 0..<150 {
            try run.step()
            try run.check()
        }
        #expect(run.conflictCount > 0, "seed \(seed): the turns of no one crossed")
        let faults = try run.stack.faults()
        #expect(faults == [])
    }
}
