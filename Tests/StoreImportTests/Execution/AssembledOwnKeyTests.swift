import ImportTestSupport
import PersistentStores
import TestSupport
import Testing

@testable import ImportMappings
@testable import StoreImport

/// Random imports into a new store of objects whose keys have others of the same table, which records find by a part of
/// their keys: assembled and written by SQLite, both are what a plain model has.
@Suite struct AssembledOwnKeyTests {
    private struct Record: NumberRecord {
        let kind: String
        let place: String
        let serial: Int
        var fields: [(name: String, value: Int?)] = []

        /// The number of a field; nil for null, and where the record does not have it.
        func number(_ name: String) -> Int? { self[name] ?? nil }
    }

    private struct Scenario: RandomImport {
        let match: String
        let itemMatch: String
        /// Whether no two categories have the same size.
        let isUnique: Bool
        var mapping = ""
        var records: [Record] = []
        var files: [(name: String, text: String)] = []

        var entities: String {
            func numbers(_ names: String...) -> String {
                names.map { "<attribute name=\"\($0)\" optional=\"YES\" attributeType=\"Integer 32\"/>" }.joined()
            }
            func link(_ name: String, _ entity: String, _ inverse: String, isToMany: Bool = false) -> String {
                "<relationship name=\"\(name)\" optional=\"YES\" \(isToMany ? "toMany=\"YES\"" : "maxCount=\"1\"") "
                    + "destinationEntity=\"\(entity)\" inverseName=\"\(inverse)\" inverseEntity=\"\(entity)\"/>"
            }
            let constraint =
                "<uniquenessConstraints><uniquenessConstraint><constraint value=\"size\"/></uniquenessConstraint>"
                + "</uniquenessConstraints>"
            return """
                <entity name="Category">\(numbers("name", "size", "serial"))\(link("parent", "Category", "children"))
                \(link("children", "Category", "parent", isToMany: true))\(link("items", "Item", "category", isToMany: true))
                \(link("notes", "Note", "category", isToMany: true))\(isUnique ? constraint : "")</entity>
                <entity name="Item">\(numbers("code", "serial"))\(link("category", "Category", "items"))</entity>
                <entity name="Note">\(numbers("serial"))\(link("category", "Category", "notes"))</entity>
                """
        }

        init(_ random: inout RandomNumbers) {
            func pick(_ values: [String]) -> String { values.randomElement(using: &random) ?? values[0] }
            func number(below limit: Int) -> Int { Int.random(in: 0..<limit, using: &random) }
            match = pick(["update", "update", "fill", "skip", "error"])
            itemMatch = pick(["update", "fill", "skip", "error"])
            isUnique = number(below: 3) == 0
            let (key, names) = (
                pick(["[name, parent]", "[parent, name]"]), [4, 12].randomElement(using: &random) ?? 4
            )
            var sources = [
                (
                    "Category",
                    """
                    key: \(key)
                        onMatch: \(match)
                        attributes: [name, size, serial]
                        relationships: {parent: {by: name, from: parent, onMissing: \(pick(["skip", "error"]))}}
                    """
                ),
                (
                    "Item",
                    """
                    key: [code, category]
                        onMatch: \(itemMatch)
                        attributes: [code, serial]
                        relationships: {category: {by: name, from: category}}
                    """
                ),
                (
                    "Note",
                    """
                    attributes: [serial]
                        relationships: {category: {by: {name: name, parent.name: parent}}}
                    """
                ),
            ]
            sources.shuffle(using: &random)
            mapping = "\(isUnique ? "# unique sizes\n" : "")import: 1\nsources:\n"
            for (kind, text) in sources {
                mapping += "  - files: \(kind)*.json\n    entity: \(kind)\n    \(text)\n"
                for part in 0..<number(below: 2) + 1 {
                    var lines = ""
                    for line in 0..<number(below: kind == "Category" ? 20 : 10) {
                        var record = Record(
                            kind: kind, place: "\(kind)\(part).json:\(line + 1)", serial: records.count)
                        let fields =
                            switch kind {
                            case "Item": ["code", "category"]
                            default: ["name", "parent"]
                            }
                        // Without a parent in some places, none would be there.
                        record.fields = fields.map {
                            ($0, number(below: $0 == "parent" ? 3 : 10) == 0 ? nil : number(below: names))
                        }
                        if number(below: 2) == 0, kind == "Category" {
                            record.fields.append(("size", number(below: isUnique ? 20 : 3)))
                        }
                        record.fields.append(("serial", record.serial))
                        records.append(record)
                        lines += record.line
                    }
                    files.append(("\(kind)\(part).json", lines))
                }
            }
        }
    }

    /// What the records come to, read one after the other.
    private struct Plain {
        private var categories: [(name: Int?, parent: Int?, size: Int?, serial: Int)] = []
        private var allItems: [(code: Int?, category: Int?, serial: Int)] = []
        private(set) var rejected: Set<String> = []
        private(set) var notes: [String] = []

        init(_ scenario: Scenario) {
            for record in scenario.records {
                if !take(record, scenario) { rejected.insert(record.place) }
            }
            for record in scenario.records where record.kind == "Note" {
                let (name, parent) = (record.number("name"), record.number("parent"))
                let found = categories.first { category in
                    name != nil && parent != nil && category.name == name
                        && category.parent.map { categories[$0].name == parent } ?? false
                }
                notes.append("\(record.serial)|\(Self.text(found?.serial))")
            }
            notes.sort()
        }

        /// Takes a record; false if it is rejected.
        private mutating func take(_ record: Record, _ scenario: Scenario) -> Bool {
            if record.kind == "Note" { return true }
            var owner: Int?
            if let name = record.number(record.kind == "Item" ? "category" : "parent") {
                owner = categories.firstIndex { $0.name == name }
                if owner == nil { return false }
            }
            guard record.kind == "Category" else {
                let code = record.number("code")
                let known = allItems.firstIndex {
                    code != nil && owner != nil && $0.code == code && $0.category == owner
                }
                guard let known else {
                    allItems.append((code, owner, record.serial))
                    return true
                }
                if scenario.itemMatch == "update" { allItems[known].serial = record.serial }
                return scenario.itemMatch != "error"
            }
            let (name, size) = (record.number("name"), record.number("size"))
            let known = categories.firstIndex {
                name != nil && owner != nil && $0.name == name && $0.parent == owner
            }
            let others = categories.indices.filter { $0 != known }.compactMap { categories[$0].size }
            func isTaken(_ size: Int?) -> Bool { scenario.isUnique && size.map { others.contains($0) } ?? false }
            guard let known else {
                if isTaken(size) { return false }
                categories.append((name, owner, size, record.serial))
                return true
            }
            if scenario.match == "skip" { return true }
            let changed = scenario.match == "fill" ? categories[known].size ?? size : size ?? categories[known].size
            if scenario.match == "error" || isTaken(changed) { return false }
            categories[known].size = changed
            if scenario.match == "update" { categories[known].serial = record.serial }
            return true
        }

        private static func text(_ number: Int?) -> String { number.map { "\($0)" } ?? "NULL" }

        var allCategories: [String] {
            categories.map { category in
                let parent = category.parent.map { categories[$0] }
                return [category.name, category.size, category.serial, parent?.name, parent?.serial].map(Self.text)
                    .joined(separator: "|")
            }.sorted()
        }

        var items: [String] {
            allItems.map { item in
                [item.code, item.serial, item.category.map { categories[$0].serial }].map(Self.text)
                    .joined(separator: "|")
            }.sorted()
        }
    }

    @Test(arguments: [1, 2, 3, 7, 1000])
    func keysHaveObjectsOfTheSameTable(size: Int) throws {
        var (rejections, objects) = (0, 0)
        try Scenario.forEachCase(60, size: size, assembledTenths: 10) { random in
            let scenario = random.scenario
            let plain = Plain(scenario)
            func report(_ writer: NewStoreWriter) throws -> ImportReport {
                let fixture = try ImportFixture(entities: scenario.entities)
                let (report, rejected) = try scenario.runNamingRejects(
                    writer, random.options, in: fixture, isJudged: random.isJudged)
                let context = "\(writer) \(report.lookupReasons ?? []) \(random.context)"
                try #require(rejected.sorted() == plain.rejected.sorted(), "\(context)")
                try fixture.requireRows(
                    """
                    SELECT c.ZNAME, c.ZSIZE, c.ZSERIAL, p.ZNAME, p.ZSERIAL FROM ZCATEGORY c \
                    LEFT JOIN ZCATEGORY p ON p.Z_PK = c.ZPARENT
                    """, plain.allCategories, context)
                try fixture.requireRows(
                    "SELECT i.ZCODE, i.ZSERIAL, c.ZSERIAL FROM ZITEM i LEFT JOIN ZCATEGORY c ON c.Z_PK = i.ZCATEGORY",
                    plain.items, context)
                try fixture.requireRows(
                    "SELECT n.ZSERIAL, c.ZSERIAL FROM ZNOTE n LEFT JOIN ZCATEGORY c ON c.Z_PK = n.ZCATEGORY",
                    plain.notes, context)
                return report
            }
            let (found, expected) = (try report(.auto), try report(.sqlite))
            #expect(found.entities == expected.entities, "\(random.context)")
            rejections += plain.rejected.count
            objects += plain.allCategories.count + plain.items.count
            return found
        }
        #expect(TestSettings.isFast || rejections > 20 && objects > 80, "\(rejections) rejected, \(objects) objects")
    }

    @Test(arguments: [1, 7, 1000])
    func shardsMakeTheSameFile(size: Int) throws {
        try Scenario.expectShardsOfOneFile(size: size)
    }
}
