import ManagedObjectModels
import ManagedObjects
import PersistentStores
import SQLiteAccess
import TestSupport
import Testing

/// The same random program through a context and through plain lists: equal content, in memory and, after each save, in
/// the store as other code reads it.
@Suite struct RandomProgramTests {
    private static let seeds = Array(
        0..<UInt64(TestSettings.number("FERRY_OBJECT_PROGRAMS", default: TestSettings.triesEverySeed ? 24 : 6)))

    /// Both sides of a program.
    private final class Run {
        let stack: Stack
        let context: ManagedObjectContext
        let undo = ContextUndoManager()
        var graph: PlainGraph
        var objects: [Int: ManagedObject] = [:]
        var saved: PlainGraph
        var undos: [PlainGraph] = []
        var redos: [PlainGraph] = []
        var numbers: RandomNumbers
        var lastTag = 0

        init(_ seed: UInt64) throws {
            numbers = RandomNumbers(seed: seed)
            let isOrdered = seed.isMultiple(of: 2)
            stack = try Stack(Staff(isOrdered: isOrdered))
            var limits = ContextLimits()
            limits.rowsPerBlock = [1, 2, 3, 7, 256][Int(seed % 5)]
            limits.keysPerStatement = [1, 2, 3, 7, 200][Int(seed / 5 % 5)]
            limits.columnsPerPart = [1, 2, 3, 7, 0][Int(seed % 5)]
            limits.knownRows = [1, 2, 3, 7][Int(seed % 4)]
            limits.statements = [1, 7, 200][Int(seed % 3)]
            context = stack.context(limits: limits)
            context.undoManager = undo
            graph = PlainGraph(links: PlainGraph.links(ordered: isOrdered))
            saved = graph
        }

        func random(_ range: Range<Int>) -> Int { Int.random(in: range, using: &numbers) }

        func pick(_ entity: String) -> Int? { graph.tags(of: entity).randomElement(using: &numbers) }

        func object(_ tag: Int) throws -> ManagedObject { try #require(objects[tag]) }

        /// The attribute that has the tag, and the one that changes.
        static func keys(_ entity: String) -> (tag: String, number: String) {
            switch entity {
            case "Department": ("name", "code")
            case "Employee": ("lastName", "salary")
            case "Project": ("title", "number")
            case "Badge": ("number", "number")
            default: ("text", "text")
            }
        }

        // MARK: Steps

        func step() throws {
            let before = graph
            switch random(0..<20) {
            case 0..<5: try insert()
            case 5..<8: try setNumber()
            case 8..<15: try link()
            case 15: try delete()
            case 16:
                try context.processPendingChanges()
                try undo.undo()
                guard let state = undos.popLast() else { return }
                redos.append(graph)
                graph = state
                return
            case 17:
                try undo.redo()
                guard let state = redos.popLast() else { return }
                undos.append(graph)
                graph = state
                return
            case 18 where random(0..<4) == 0:
                context.rollback()
                graph = saved
                (undos, redos) = ([], [])
                return
            default:
                try save()
                return
            }
            try context.processPendingChanges()
            if graph != before {
                undos.append(before)
                redos = []
            }
        }

        private func insert() throws {
            let entity = ["Department", "Employee", "Employee", "Project", "Badge", "Note"][random(0..<6)]
            lastTag += 1
            let object = try context.insert(entity)
            let tag = lastTag
            let keys = Self.keys(entity)
            let value: AttributeValue = entity == "Badge" ? .integer(Int64(tag)) : .string("\(tag)")
            try object.setValue(.attribute(value), forKey: keys.tag)
            objects[tag] = object
            graph.things[tag] = PlainGraph.Thing(entity: entity, number: 0)
        }

        private func setNumber() throws {
            guard let tag = pick(["Department", "Employee", "Project"][random(0..<3)]), let thing = graph.things[tag]
            else { return }
            let number = random(0..<4)
            graph.things[tag]?.number = number
            try object(tag).set(Self.keys(thing.entity).number, number == 0 ? nil : .integer(Int64(number)))
        }

        private func link() throws {
            let real = graph.links.filter(\.isReal)
            let link = real[random(0..<real.count)]
            guard let a = pick(link.owner), let b = pick(link.destination) else { return }
            let (own, other) = (try object(a), try object(b))
            switch (link.isMany, random(0..<4)) {
            case (false, 0):
                graph.setOne(a, link, nil)
                try own.set(link.name, to: nil)
            case (false, _):
                graph.setOne(a, link, b)
                try own.set(link.name, to: other)
            case (true, 0):
                graph.remove(a, link, b)
                try own.remove(other, from: link.name)
            case (true, 1) where link.isOrdered:
                let others = (graph.things[a]?.many[link.name] ?? []).filter { $0 != b }
                let index = random(0..<(others.count + 1))
                graph.move(a, link, b, to: index)
                try own.insert(other, into: link.name, at: index)
            default:
                graph.add(a, link, b)
                try own.add(other, to: link.name)
            }
        }

        private func delete() throws {
            let entity = ["Department", "Employee", "Project", "Badge", "Note"][random(0..<5)]
            guard let tag = pick(entity) else { return }
            graph.delete(tag)
            try context.delete(object(tag))
        }

        func save() throws {
            try context.save()
            saved = graph
            #expect(try stored() == graph.lines)
        }

        // MARK: Content

        /// What the context's objects say.
        func lines() throws -> [String] {
            let tags = Dictionary(
                graph.things.keys.compactMap { tag in objects[tag].map { (ObjectIdentifier($0), tag) } },
                uniquingKeysWith: { first, _ in first })
            func tag(_ object: ManagedObject) -> Int { tags[ObjectIdentifier(object)] ?? -1 }
            return try graph.things.map { own, thing in
                let object = try self.object(own)
                let number = Self.keys(thing.entity).number
                let value = ["Badge", "Note"].contains(thing.entity) ? 0 : try object.number(number) ?? 0
                var parts = ["\(thing.entity) \(own): \(value)"]
                for link in graph.links(of: thing.entity) where link.isReal {
                    if link.isMany {
                        let others = try object.many(link.name).map(tag)
                        parts.append("\(link.name)=\(link.isOrdered ? others : others.sorted())")
                    } else if let other = try object.one(link.name) {
                        parts.append("\(link.name)=\(tag(other))")
                    }
                }
                return parts.joined(separator: " ")
            }.sorted()
        }

        /// What plain SQL reads.
        func stored() throws -> [String] { try StoredGraph(stack.path, graph.links).lines() }
    }

    @Test(arguments: seeds) func programs(seed: UInt64) throws {
        let run = try Run(seed)
        for _ in 0..<160 {
            try run.step()
            let lines = try run.lines()
            #expect(lines == run.graph.lines, "seed \(seed)")
            guard lines == run.graph.lines else { return }
        }
        try run.save()
        let faults = try run.stack.faults()
        #expect(faults == [])
    }
}
