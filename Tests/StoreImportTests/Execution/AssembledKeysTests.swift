import ImportTestSupport
import PersistentStores
import StoreAssembly
import TestSupport
import Testing

@testable import ImportMappings
@testable import StoreImport

/// Random imports into a new store whose tables have objects with different keys, and whose records name them by other
/// attributes: assembled and written by SQLite, both are what a plain model has.
@Suite struct AssembledKeysTests {
    private struct Record {
        enum Kind: String { case worker, guest, visitor, task }
        let kind: Kind
        let serial: Int
        /// Worker: its number. Guest: the parts of its key. Visitor: its number, which may be another one's. Task: what it
        /// names.
        let numbers: [Int?]

        static let names: [Kind: [String]] = [
            .worker: ["number"], .guest: ["name", "town"], .visitor: ["number", "name"],
            .task: ["worker", "guest", "town", "named", "visitor"],
        ]

        var line: String {
            let named = zip(Self.names[kind] ?? [], numbers).compactMap { name, number in
                number.map { "\"\(name)\": \($0)" }
            }
            return "{" + (named + ["\"serial\": \(serial)"]).joined(separator: ", ") + "}\n"
        }
    }

    private struct Scenario: RandomImport {
        let makesWorkers: Bool
        var mapping = ""
        var records: [Record] = []
        var files: [(name: String, text: String)] = []

        let entities: String = {
            func link(_ name: String, _ entity: String) -> String {
                "<relationship name=\"\(name)\" optional=\"YES\" maxCount=\"1\" destinationEntity=\"\(entity)\" "
                    + "inverseName=\"\(name)Tasks\" inverseEntity=\"\(entity)\"/>"
            }
            func tasks(_ names: [String]) -> String {
                names.map {
                    "<relationship name=\"\($0)Tasks\" optional=\"YES\" toMany=\"YES\" destinationEntity=\"Task\" "
                        + "inverseName=\"\($0)\" inverseEntity=\"Task\"/>"
                }.joined()
            }
            func attributes(_ names: [String]) -> String {
                names.map { "<attribute name=\"\($0)\" optional=\"YES\" attributeType=\"Integer 32\"/>" }.joined()
            }
            return """
                <entity name="Person" isAbstract="YES">\(attributes(["number", "name", "town", "serial"]))</entity>
                <entity name="Worker" parentEntity="Person">\(tasks(["worker"]))</entity>
                <entity name="Guest" parentEntity="Person">\(tasks(["guest", "named"]))</entity>
                <entity name="Visitor" parentEntity="Person">\(tasks(["visitor"]))</entity>
                <entity name="Task">\(attributes(["serial"]))\(link("worker", "Worker"))\(link("guest", "Guest"))
                \(link("named", "Guest"))\(link("visitor", "Visitor"))</entity>
                """
        }()

        init(_ random: inout RandomNumbers) {
            func number(below limit: Int) -> Int { Int.random(in: 0..<limit, using: &random) }
            makesWorkers = number(below: 3) == 0
            var sources: [(Record.Kind, String)] = [
                (.worker, "entity: Worker\n    key: number\n    attributes: [number, serial]"),
                (.guest, "entity: Guest\n    key: [name, town]\n    attributes: [name, town, serial]"),
                (.visitor, "entity: Visitor\n    attributes: [number, name, serial]"),
                (
                    .task,
                    """
                    entity: Task
                        attributes: [serial]
                        relationships:
                          worker: {by: number, from: worker, onMissing: \(makesWorkers ? "create" : "skip")}
                          guest: {by: {name: guest, town: town}}
                          named: {by: name, from: named}
                          visitor: {by: number, from: visitor}
                    """
                ),
            ]
            sources.shuffle(using: &random)
            mapping = "import: 1\nsources:\n"
            var serial = 0
            for (kind, text) in sources {
                mapping += "  - files: \(kind)*.json\n    \(text)\n"
                for part in 0..<number(below: 2) + 1 {
                    var lines = ""
                    for _ in 0..<number(below: 9) {
                        serial += 1
                        let numbers = (Record.names[kind] ?? []).map { _ in
                            number(below: 9) == 0 ? nil : number(below: 4)
                        }
                        records.append(Record(kind: kind, serial: serial, numbers: numbers))
                        lines += records[records.count - 1].line
                    }
                    files.append(("\(kind)\(part).json", lines))
                }
            }
        }

        /// By task, the serial numbers of what it leads to: worker, guest, the guest of a name, visitor.
        var tasks: [String] {
            /// The objects of a kind in their order: the values that find them, and the last serial number.
            var objects: [Record.Kind: [(numbers: [Int?], serial: Int?)]] = [:]
            var tasks: [Record] = []
            for record in records {
                let known = objects[record.kind]?.firstIndex {
                    record.kind != .visitor && $0.numbers == record.numbers && !record.numbers.contains(nil)
                }
                switch record.kind {
                case .task:
                    tasks.append(record)
                    if makesWorkers, let number = record.numbers[0],
                        !(objects[.worker]?.contains { $0.numbers == [number] } ?? false)
                    {
                        objects[.worker, default: []].append(([number], nil))
                    }
                default:
                    if let known {
                        objects[record.kind]?[known].serial = record.serial
                    } else {
                        objects[record.kind, default: []].append((record.numbers, record.serial))
                    }
                }
            }
            func find(_ kind: Record.Kind, _ numbers: [Int?]) -> String {
                guard !numbers.contains(nil) else { return "NULL" }
                let found = objects[kind]?.first { Array($0.numbers.prefix(numbers.count)) == numbers }
                return found.map { $0.serial.map { "\($0)" } ?? "made" } ?? "NULL"
            }
            return tasks.map { task in
                let numbers = task.numbers
                let found = [
                    find(.worker, [numbers[0]]), find(.guest, [numbers[1], numbers[2]]), find(.guest, [numbers[3]]),
                    find(.visitor, [numbers[4]]),
                ]
                return "\(task.serial)|" + found.joined(separator: "|")
            }.sorted()
        }
    }

    @Test(arguments: [1, 2, 3, 7, 1000])
    func objectsAreFoundByTheirOwnKeysAndByOthers(size: Int) throws {
        try Scenario.forEachCase(60, size: size, assembledTenths: 10) { random in
            let scenario = random.scenario
            func report(_ writer: NewStoreWriter) throws -> ImportReport {
                var options = random.options
                options.writer = writer
                let fixture = try ImportFixture(entities: scenario.entities)
                let report = try scenario.run(options, in: fixture, isJudged: random.isJudged)
                try fixture.requireRows(
                    """
                    SELECT t.ZSERIAL, iif(w.Z_PK IS NULL, 'NULL', coalesce(w.ZSERIAL, 'made')), g.ZSERIAL, n.ZSERIAL, \
                    v.ZSERIAL FROM ZTASK t LEFT JOIN ZPERSON w ON w.Z_PK = t.ZWORKER LEFT JOIN ZPERSON g \
                    ON g.Z_PK = t.ZGUEST LEFT JOIN ZPERSON n ON n.Z_PK = t.ZNAMED LEFT JOIN ZPERSON v \
                    ON v.Z_PK = t.ZVISITOR
                    """, scenario.tasks, "\(writer) \(random.context)")
                return report
            }
            let found = try report(.auto)
            let other = try report(.sqlite)
            for (one, another) in zip(found.entities, other.entities) {
                #expect(one.inserted == another.inserted && one.related == another.related, "\(random.context)")
            }
            return found
        }
    }

    @Test(arguments: [1, 7, 1000])
    func shardsMakeTheSameFile(size: Int) throws {
        try Scenario.expectShardsOfOneFile(size: size)
    }
}
