import ImportTestSupport
import PersistentStores
import StoreAssembly
import TestSupport
import Testing

@testable import ImportMappings
@testable import StoreImport

/// Random imports into a new store of lists of objects in place that have a key and cannot be without their owner: a record
/// is rejected whose list would leave one without, and no other. Assembled and written by SQLite, both are what a plain
/// model has that takes one record after the other.
@Suite struct AssembledKeyedPartTests {
    private struct Record {
        let place: String
        let code: Int
        /// The serial numbers of the lines in its two lists; nil where it does not mention the list.
        let lists: [[Int]?]

        var line: String {
            let fields = zip(["lines", "extras"], lists).compactMap { name, list in
                list.map { "\"\(name)\": [\($0.map { "{\"serial\": \($0)}" }.joined(separator: ", "))]" }
            }
            return "{" + (["\"code\": \(code)"] + fields).joined(separator: ", ") + "}\n"
        }
    }

    private struct Scenario: RandomImport {
        let isOrdered: Bool
        let isLineSkipped: Bool
        var mapping: String
        var records: [Record] = []
        var files: [(name: String, text: String)] = []

        var entities: String {
            let serial = "<attribute name=\"serial\" optional=\"YES\" attributeType=\"Integer 32\"/>"
            func part(_ entity: String, _ list: String) -> String {
                """
                <entity name="\(entity)">\(serial)
                <relationship name="sale" maxCount="1" destinationEntity="Sale" inverseName="\(list)" \
                inverseEntity="Sale"/></entity>
                """
            }
            func list(_ name: String, _ entity: String) -> String {
                """
                <relationship name="\(name)" optional="YES" toMany="YES"\(isOrdered ? " ordered=\"YES\"" : "") \
                destinationEntity="\(entity)" inverseName="sale" inverseEntity="\(entity)"/>
                """
            }
            return """
                <entity name="Sale"><attribute name="code" optional="YES" attributeType="Integer 32"/>
                \(list("lines", "Line"))\(list("extras", "Extra"))</entity>\(part("Line", "lines"))\(part("Extra", "extras"))
                """
        }

        init(_ random: inout RandomNumbers) {
            func number(below limit: Int) -> Int { Int.random(in: 0..<limit, using: &random) }
            isOrdered = Bool.random(using: &random)
            isLineSkipped = number(below: 3) == 0
            mapping = """
                import: 1
                sources:
                  - files: sale*.json
                    objects:
                      - {entity: Sale, key: code, attributes: [code],
                         relationships: {lines: {object: line}, extras: {object: extra}}}
                      - {id: line, entity: Line, each: 'lines[*]', key: serial,
                         onMatch: \(isLineSkipped ? "skip" : "update"), attributes: [serial]}
                      - {id: extra, entity: Extra, each: 'extras[*]', key: serial, attributes: [serial]}

                """
            let (sales, lines) = (number(below: 3) + 2, number(below: 6) + 2)
            for part in 0..<number(below: 2) + 1 {
                let file = "sale\(part).json"
                var text = ""
                for line in 0..<number(below: 10) {
                    let lists = (0..<2).map { list -> [Int]? in
                        if number(below: list == 0 ? 8 : 2) == 0 { return nil }
                        return Array(Array(0..<lines).shuffled(using: &random).prefix(number(below: 4)))
                    }
                    let record = Record(place: "\(file):\(line + 1)", code: number(below: sales), lists: lists)
                    records.append(record)
                    text += record.line
                }
                files.append((file, text))
            }
        }
    }

    /// What the records come to, read one after the other.
    private struct Plain {
        /// By list and line, its sale.
        private(set) var owners: [[Int: Int]] = [[:], [:]]
        private(set) var sales: Set<Int> = []
        private(set) var rejected: [String] = []

        init(_ scenario: Scenario) {
            for record in scenario.records {
                let isEnding = record.lists.enumerated().contains { number, list in
                    guard let list else { return false }
                    return owners[number].contains { $0.value == record.code && !list.contains($0.key) }
                }
                if isEnding {
                    rejected.append(record.place)
                    continue
                }
                sales.insert(record.code)
                for (number, list) in record.lists.enumerated() {
                    for line in list ?? [] { owners[number][line] = record.code }
                }
            }
        }

        func rows(_ list: Int) -> [String] { owners[list].map { "\($0.key)|\($0.value)" }.sorted() }
    }

    @Test(arguments: [1, 2, 3, 7, 1000])
    func noObjectIsLeftWithoutItsOwner(size: Int) throws {
        var rejections = 0
        try Scenario.forEachCase(60, size: size, assembledTenths: 10) { random in
            let scenario = random.scenario
            let plain = Plain(scenario)
            random.options.fixedLimits.assembly.constraintPages = 1
            func report(_ writer: NewStoreWriter) throws -> ImportReport {
                let context = "\(writer) \(random.context)"
                let fixture = try ImportFixture(entities: scenario.entities)
                let (report, rejected) = try scenario.runNamingRejects(
                    writer, random.options, in: fixture, isJudged: random.isJudged, isThere: random.isThere)
                try #require(rejected.sorted() == plain.rejected.sorted(), "\(context)")
                for (list, table) in ["ZLINE", "ZEXTRA"].enumerated() {
                    try fixture.requireRows(
                        "SELECT l.ZSERIAL, s.ZCODE FROM \(table) l LEFT JOIN ZSALE s ON s.Z_PK = l.ZSALE",
                        plain.rows(list), context)
                }
                try fixture.requireRows("SELECT ZCODE FROM ZSALE", plain.sales.map { "\($0)" }.sorted(), context)
                return report
            }
            let found = try report(.auto)
            rejections += plain.rejected.count
            _ = try report(.sqlite)
            return found
        }
        #expect(TestSettings.isFast || rejections > RandomNumbers.seeds(60).count / 2)
    }

    @Test(arguments: [1, 7, 1000])
    func shardsMakeTheSameFile(size: Int) throws {
        try Scenario.expectShardsOfOneFile(size: size)
    }
}
