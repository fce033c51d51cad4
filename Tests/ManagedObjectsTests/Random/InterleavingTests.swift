import ManagedObjectModels
import ManagedObjects
import ObjectSides
import PersistentStores
import TestSupport
import Testing

/// Two contexts, each with a coordinator of its own, or in a process of its own, work on one store in random turns; who
/// wins, and what is a conflict, is held against plain lists of values.
@Suite struct InterleavingTests {
    private static let seeds = Array(
        0..<UInt64(TestSettings.number("FERRY_OBJECT_PROGRAMS", default: TestSettings.triesEverySeed ? 40 : 10)))

    /// What one of the two knows of an object.
    private struct Known {
        var snapshot: ItemValues
        var current: ItemValues
        var isDeleted = false

        var isChanged: Bool { snapshot != current }
    }

    private final class Side {
        let objects: any ObjectSide
        let policy: MergePolicy
        var known: [Int64: Known] = [:]
        var hasChanges: Bool { known.values.contains { $0.isDeleted || $0.isChanged } }

        init(_ objects: any ObjectSide, _ policy: MergePolicy) {
            self.objects = objects
            self.policy = policy
        }
    }

    /// How many of the two are processes.
    enum Kind: Int, CaseIterable {
        case contexts, contextAndProcess, processes
    }

    private final class Run {
        let stack: Stack
        let sides: [Side]
        var store: [Int64: ItemValues] = [:]
        var numbers: RandomNumbers
        var conflictCount = 0

        init(_ seed: UInt64, _ kind: Kind) throws {
            numbers = RandomNumbers(seed: seed)
            let stack = try Stack()
            self.stack = stack
            let policies = MergePolicy.allCases
            sides = try (0..<2).map { side in
                let policy = policies[Int(seed + UInt64(side) * 2) % policies.count]
                // The second one is a process first.
                guard side + kind.rawValue < 2 else { return Side(try ProcessSide(stack, policy), policy) }
                let coordinator = PersistentStoreCoordinator(model: stack.model)
                try coordinator.addStore(at: stack.path)
                let context = ManagedObjectContext(coordinator)
                context.mergePolicy = policy
                return Side(ContextSide(context), policy)
            }
        }

        func step() throws {
            let side = sides[Int.random(in: 0..<2, using: &numbers)]
            let id = store.keys.sorted().randomElement(using: &numbers)
            switch Int.random(in: 0..<10, using: &numbers) {
            case 0: try insert(side)
            case 1..<3: if let id { try read(id, side) }
            case 3..<6: try change(side)
            case 6: try delete(side)
            default: try save(side)
            }
        }

        private func insert(_ side: Side) throws {
            guard store.count < 6, !side.hasChanges else { return }
            let key = try side.objects.insert()
            #expect(store[key] == nil)
            store[key] = ItemValues(number: 0)
            side.known[key] = Known(snapshot: ItemValues(number: 0), current: ItemValues(number: 0))
        }

        /// Reads an object, unless it was read before: what was read stays.
        private func read(_ key: Int64, _ side: Side) throws {
            guard side.known[key] == nil, let values = store[key] else { return }
            try side.objects.read(key)
            side.known[key] = Known(snapshot: values, current: values)
        }

        private func pick(_ side: Side) -> Int64? {
            side.known.filter { !$0.value.isDeleted }.keys.sorted().randomElement(using: &numbers)
        }

        private func change(_ side: Side) throws {
            guard let key = pick(side), var known = side.known[key] else { return }
            let number = Int.random(in: 0..<3, using: &numbers)
            if Bool.random(using: &numbers) {
                known.current.number = number
                try side.objects.set(key, number: number)
            } else {
                known.current.title = "\(number)"
                try side.objects.set(key, title: "\(number)")
            }
            side.known[key] = known
        }

        private func delete(_ side: Side) throws {
            guard Int.random(in: 0..<3, using: &numbers) == 0, let key = pick(side) else { return }
            side.known[key]?.isDeleted = true
            try side.objects.delete(key)
        }

        // MARK: Saving by the rules

        private func save(_ side: Side) throws {
            let changed = side.known.filter { $0.value.isDeleted || $0.value.isChanged }
            let conflicts = Set(
                changed.filter { key, known in
                    guard let values = store[key] else { return !known.isDeleted }
                    return values != known.snapshot
                }.keys)
            let found = try side.objects.save()
            conflictCount += conflicts.isEmpty ? 0 : 1
            if side.policy == .error, !conflicts.isEmpty {
                #expect(found == conflicts)
                // Whoever loses begins again.
                try side.objects.startOver()
                side.known = [:]
                return
            }
            #expect(found == [])
            for (key, known) in changed { try settle(key, known, side, isConflict: conflicts.contains(key)) }
        }

        private func settle(_ id: Int64, _ known: Known, _ side: Side, isConflict: Bool) throws {
            let policy = side.policy
            let keepsOwn = policy == .overwrite || policy == .mergeByPropertyObjectTrump
            func know(_ values: ItemValues?) throws {
                side.known[id] = values.map { Known(snapshot: $0, current: $0) }
                if values == nil { try side.objects.forget(id) }
            }
            guard !known.isDeleted else {
                if !isConflict || keepsOwn { store[id] = nil }
                try know(store[id])
                return
            }
            guard let there = store[id] else {
                if keepsOwn { store[id] = known.current }
                try know(store[id])
                return
            }
            var result = there
            func merge<Value: Equatable>(_ key: WritableKeyPath<ItemValues, Value>) {
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
            try know(result)
        }

        // MARK: What is there

        func check() throws {
            let rows = try stack.rows("SELECT Z_PK, ZNUMBER, ZTITLE FROM ZPROJECT ORDER BY 1")
            let expected = store.sorted { $0.key < $1.key }.map { key, values in
                "\(key)|\(values.number.map { "\($0)" } ?? "NULL")|\(values.title.map { "'\($0)'" } ?? "NULL")"
            }
            #expect(rows == expected)
            for side in sides {
                for (key, known) in side.known where !known.isDeleted {
                    #expect(try side.objects.values(of: key) == known.current)
                }
            }
        }
    }

    /// Returns how many saves found a conflict.
    private func run(_ seed: UInt64, _ kind: Kind) throws -> Int {
        let run = try Run(seed, kind)
        for _ in 0..<150 {
            try run.step()
            try run.check()
        }
        let faults = try run.stack.faults()
        #expect(faults == [])
        return run.conflictCount
    }

    @Test(arguments: seeds) func turnsOfContexts(seed: UInt64) throws { _ = try run(seed, .contexts) }

    /// The two sides of one seed may never meet; those of some do, so that the turns above say something.
    @Test(arguments: Kind.allCases) func turnsCross(kind: Kind) throws {
        let counts = try (0..<3).map { try run($0, kind) }
        #expect(counts.reduce(0, +) > 0, "the turns of no one crossed")
    }

    private static let processSeeds = Array(
        0..<UInt64(TestSettings.number("FERRY_PROCESS_PROGRAMS", default: TestSettings.triesEverySeed ? 10 : 5)))

    @Test(arguments: [Kind.contextAndProcess, .processes], processSeeds)
    func turnsOfProcesses(kind: Kind, seed: UInt64) throws { _ = try run(seed, kind) }

    // MARK: - At the same time

    /// Processes count on the same objects, and begin again where another one was faster: no step is lost, and each save
    /// that did not find a conflict has counted once.
    @Test(arguments: [2, 3]) func processesCountTogether(processes: Int) throws {
        let stack = try Stack()
        let context = stack.context()
        let objects = try (0..<2).map { _ in try context.make("Project", ["number": .integer(0)]) }
        try context.save()
        let keys = objects.map(\.objectID.primaryKey)
        let sides = try (0..<processes).map { _ in try ProcessSide(stack, .error) }
        let count = TestSettings.number("FERRY_PROCESS_STEPS", default: 25)
        for key in keys {
            for side in sides { try side.begin(.increment(key, count: count)) }
            let conflicts = try sides.map { Int(try $0.end()) ?? 0 }
            let row = try stack.rows("SELECT ZNUMBER, Z_OPT FROM ZPROJECT WHERE Z_PK = \(key)")
            #expect(row == ["\(count * processes)|\(count * processes + 1)"], "\(conflicts) conflicts")
        }
        #expect(try stack.faults() == [])
    }

    /// Other objects of one table are nobody's conflict, however saves cross.
    @Test func processesOnObjectsOfTheirOwnHaveNoConflict() throws {
        let stack = try Stack()
        let sides = try (0..<3).map { _ in try ProcessSide(stack, .error) }
        for side in sides { try side.begin(.insert) }
        let keys = try sides.map { Int64(try $0.end()) ?? 0 }
        #expect(Set(keys) == [1, 2, 3])
        for (side, key) in zip(sides, keys) { try side.begin(.increment(key, count: 20)) }
        for side in sides { #expect(try side.end() == "0") }
        #expect(try stack.rows("SELECT ZNUMBER FROM ZPROJECT") == ["20", "20", "20"])
    }
}
