import ImportTestSupport
import PersistentStores
import TestSupport
import Testing

@testable import ImportMappings
@testable import StoreImport

/// Random imports into a new store of records whose parts have keys with other objects of the record, which may have such
/// keys themselves: assembled and written by SQLite, both are what a plain model has.
@Suite struct AssembledRecordKeyTests {
    private struct Item {
        let code: Int?
        let size: Int?
    }

    private struct Line {
        let number: Int?
        let size: Int?
        var items: [Item] = []
    }

    private struct Order {
        let number: Int?
        let size: Int?
        let customer: Int?
        var lines: [Line] = []
    }

    /// A record of orders, of one line that names its order, of a customer, or of a note.
    private struct Record {
        let kind: String
        let place: String
        let serial: Int
        var orders: [Order] = []
        /// The text in the place of its orders if there are none.
        var absence = ""
        var number: Int?
        var code: Int?
        var order: Int?
        /// Whether a value does not fit.
        var isBroken = false

        private static func text(_ fields: [(String, Int?)], _ rest: [String] = []) -> String {
            "{" + (fields.map { "\"\($0)\": \($1.map { "\($0)" } ?? "null")" } + rest).joined(separator: ", ") + "}"
        }

        private func fields(_ size: Int?) -> [(String, Int?)] {
            [("serial", serial)] + (size == nil ? [] : [("size", size)])
        }

        private func text(_ order: Order) -> String {
            let lines = order.lines.map { line in
                let items = line.items.map { Self.text([("code", $0.code)] + fields($0.size)) }
                return Self.text(
                    [("number", line.number)] + fields(line.size), ["\"items\": [\(items.joined(separator: ", "))]"])
            }
            return Self.text(
                [("number", order.number)] + fields(order.size)
                    + (order.customer == nil ? [] : [("customer", order.customer)]),
                ["\"lines\": [\(lines.joined(separator: ", "))]"] + (isBroken ? ["\"note\": \"long\""] : []))
        }

        func line(isNested: Bool) -> String {
            switch kind {
            case "Order" where !isNested: return text(orders[0]) + "\n"
            case "Order":
                return "{" + (absence.isEmpty ? "\"orders\": [\(orders.map(text).joined(separator: ", "))]" : absence)
                    + "}\n"
            case "Customer": return Self.text([("code", code)]) + "\n"
            default: return Self.text([("number", number), ("code", code), ("order", order)] + fields(nil)) + "\n"
            }
        }
    }

    private struct Scenario: RandomImport {
        /// By entity, what becomes of objects that are there.
        var match: [String: String] = [:]
        /// Whether orders are parts of a record.
        let isNested: Bool
        let hasOrderKey: Bool
        let hasCustomers: Bool
        let creates: Bool
        /// The entities whose objects have different sizes.
        var unique: Set<String> = []
        var mapping = ""
        var records: [Record] = []
        var files: [(name: String, text: String)] = []

        var entities: String {
            func constraint(_ entity: String) -> String {
                unique.contains(entity)
                    ? "<uniquenessConstraints><uniquenessConstraint><constraint value=\"size\"/></uniquenessConstraint>"
                        + "</uniquenessConstraints>" : ""
            }
            func numbers(_ names: String...) -> String {
                names.map { "<attribute name=\"\($0)\" optional=\"YES\" attributeType=\"Integer 32\"/>" }.joined()
            }
            func link(_ name: String, _ entity: String, _ inverse: String, isToMany: Bool = false) -> String {
                "<relationship name=\"\(name)\" optional=\"YES\" \(isToMany ? "toMany=\"YES\"" : "maxCount=\"1\"") "
                    + "destinationEntity=\"\(entity)\" inverseName=\"\(inverse)\" inverseEntity=\"\(entity)\"/>"
            }
            return """
                <entity name="Customer">\(numbers("code"))\(link("orders", "Order", "customer", isToMany: true))</entity>
                <entity name="Order">\(numbers("number", "size", "serial", "note"))\(link("customer", "Customer", "orders"))
                \(link("lines", "Line", "order", isToMany: true))\(constraint("Order"))</entity>
                <entity name="Line">\(numbers("number", "size", "serial"))\(link("order", "Order", "lines"))
                \(link("items", "Item", "line", isToMany: true))\(link("notes", "Note", "line", isToMany: true))
                \(constraint("Line"))</entity>
                <entity name="Item">\(numbers("code", "size", "serial"))\(link("line", "Line", "items"))
                \(link("notes", "Note", "item", isToMany: true))\(constraint("Item"))</entity>
                <entity name="Note">\(numbers("serial"))\(link("line", "Line", "notes"))\(link("item", "Item", "notes"))
                </entity>
                """
        }

        init(_ random: inout RandomNumbers) {
            func pick(_ values: [String]) -> String { values.randomElement(using: &random) ?? values[0] }
            func number(below limit: Int) -> Int { Int.random(in: 0..<limit, using: &random) }
            isNested = number(below: 3) == 0
            hasOrderKey = number(below: 5) > 0
            hasCustomers = number(below: 3) == 0
            creates = number(below: 3) == 0
            // An entity without a key would have its constraint as key.
            for entity in hasOrderKey ? ["Order", "Line", "Item"] : ["Line", "Item"]
            where !hasCustomers && number(below: 4) == 0 {
                unique.insert(entity)
            }
            for entity in ["Order", "Line", "Item"] {
                match[entity] = pick(["update", "update", "fill", "skip", "error"])
            }
            let customer = "relationships: {customer: {by: code, from: customer, onMissing: error}}"
            var objects = [
                """
                      - id: order
                        entity: Order
                        \(isNested ? "each: orders[*]" : "# the record itself")
                        \(hasOrderKey ? "key: number\n        onMatch: \(match["Order"] ?? "")" : "# no key")
                        attributes: [number, size, serial, note]
                        \(hasCustomers ? customer : "# no customer")

                """,
                """
                      - id: line
                        entity: Line
                        \(isNested ? "in: order" : "# of the record")
                        each: lines[*]
                        key: \(pick(["[order, number]", "[number, order]"]))
                        onMatch: \(match["Line"] ?? "")
                        attributes: [number, size, serial]
                        relationships: {order: {object: order}}

                """,
                """
                      - id: item
                        entity: Item
                        in: line
                        each: items[*]
                        key: \(pick(["[line, code]", "[code, line]"]))
                        onMatch: \(match["Item"] ?? "")
                        attributes: [code, size, serial]
                        relationships: {line: {object: line}}

                """,
            ]
            if number(below: 2) == 0 { objects.shuffle(using: &random) }
            var sources = [("Order", "objects:\n" + objects.joined())]
            if hasOrderKey {
                let missing = creates ? "create" : pick(["skip", "error"])
                sources.append(
                    (
                        "Line",
                        """
                        entity: Line
                            key: \(pick(["[order, number]", "[number, order]"]))
                            onMatch: \(match["Line"] ?? "")
                            attributes: [number, serial]
                            relationships: {order: {by: number, from: order, onMissing: \(missing)}}

                        """
                    ))
                let item = "{code: code, line.number: number, line.order.number: order}"
                sources.append(
                    (
                        "Note",
                        """
                        entity: Note
                            attributes: [serial]
                            relationships:
                              line: {by: \(pick(["{number: number, order.number: order}", "{order.number: order, number: number}"]))}
                              item: {by: \(item)}

                        """
                    ))
            }
            if hasCustomers {
                sources.append(("Customer", "entity: Customer\n    key: code\n    attributes: [code]\n"))
            }
            sources.shuffle(using: &random)
            mapping = "# unique: \(unique.sorted())\nimport: 1\nsources:\n"
            let most = [2, 3, 8].randomElement(using: &random) ?? 2
            func value() -> Int? { number(below: 12) == 0 ? nil : number(below: most) }
            let sizes = unique.isEmpty ? 3 : [4, 30].randomElement(using: &random) ?? 4
            func size() -> Int? { number(below: 2) == 0 ? nil : number(below: sizes) }
            func order() -> Order {
                var order = Order(
                    number: value(), size: size(), customer: hasCustomers && number(below: 2) == 0 ? value() : nil)
                for _ in 0..<number(below: 4) {
                    var line = Line(number: value(), size: size())
                    for _ in 0..<number(below: 3) { line.items.append(Item(code: value(), size: size())) }
                    order.lines.append(line)
                }
                return order
            }
            for (kind, text) in sources {
                mapping += "  - files: \(kind)*.json\n    \(text)"
                for part in 0..<number(below: 2) + 1 {
                    var lines = ""
                    for line in 0..<number(below: 8) {
                        var record = Record(kind: kind, place: "\(kind)\(part).json:\(line + 1)", serial: records.count)
                        if kind == "Order" {
                            let count = isNested ? number(below: 3) : 1
                            record.orders = (0..<count).map { _ in order() }
                            record.isBroken = count > 0 && number(below: 15) == 0
                            if count == 0, number(below: 2) == 0 { record.absence = "\"orders\": null" }
                        } else {
                            (record.number, record.code, record.order) = (value(), value(), value())
                        }
                        records.append(record)
                        lines += record.line(isNested: isNested)
                    }
                    files.append(("\(kind)\(part).json", lines))
                }
            }
        }
    }

    /// What the records come to, read one after the other, without those that cannot be.
    private struct Plain {
        private struct Object {
            /// The index of the object in its key.
            let owner: Int?
            let number: Int?
            var size: Int?
            var serial: Int?
            var customer: Int?
        }

        private struct State {
            var orders: [Object] = []
            var lines: [Object] = []
            var items: [Object] = []
        }

        private let scenario: Scenario
        private var state = State()
        private(set) var rejected: Set<String> = []
        /// Whether one is rejected for what is known only when all are read.
        private(set) var isLate = false
        private(set) var unresolved = 0
        private(set) var notes: [String] = []

        init(_ scenario: Scenario) {
            self.scenario = scenario
            let known = Set(scenario.records.filter { $0.kind == "Customer" }.compactMap(\.code))
            for record in scenario.records {
                let isLacking = record.orders.compactMap(\.customer).contains { !known.contains($0) }
                if isLacking { isLate = true }
                if isLacking || record.isBroken { rejected.insert(record.place) }
            }
            for record in scenario.records where !rejected.contains(record.place) {
                let before = state
                guard !take(record) else { continue }
                rejected.insert(record.place)
                state = before
            }
            for record in scenario.records where record.kind == "Note" {
                let line = state.lines.firstIndex { line in
                    record.order != nil && record.number != nil && line.number == record.number
                        && line.owner.map { state.orders[$0].number == record.order } ?? false
                }
                let item = state.items.firstIndex { item in
                    line != nil && item.owner == line && record.code != nil && item.number == record.code
                }
                if record.order != nil, record.number != nil {
                    unresolved += (line == nil ? 1 : 0) + (item == nil && record.code != nil ? 1 : 0)
                }
                notes.append(
                    [record.serial, line.flatMap { state.lines[$0].serial }, item.flatMap { state.items[$0].serial }]
                        .map(Self.text).joined(separator: "|"))
            }
            notes.sort()
        }

        /// Takes an object; nil if its record is rejected.
        private func take(
            _ object: Object, _ isFound: Bool, _ entity: String, in objects: inout [Object]
        ) -> Int? {
            var known = objects.firstIndex { isFound && $0.number == object.number && $0.owner == object.owner }
            if let known {
                switch scenario.match[entity] {
                case "error": return nil
                case "fill":
                    objects[known].size = objects[known].size ?? object.size
                    objects[known].serial = objects[known].serial ?? object.serial
                    objects[known].customer = objects[known].customer ?? object.customer
                case "update":
                    objects[known].size = object.size ?? objects[known].size
                    objects[known].serial = object.serial
                    objects[known].customer = object.customer ?? objects[known].customer
                default: break
                }
            } else {
                objects.append(object)
                known = objects.count - 1
            }
            let size = known.flatMap { objects[$0].size }
            let isUnique = !scenario.unique.contains(entity) || size == nil || objects.count { $0.size == size } == 1
            return isUnique ? known : nil
        }

        /// Takes a record; false if it is rejected.
        private mutating func take(_ record: Record) -> Bool {
            guard record.kind != "Line" else { return takeLine(record) }
            for order in record.orders {
                let made = Object(
                    owner: nil, number: order.number, size: order.size, serial: record.serial, customer: order.customer)
                let isKeyed = scenario.hasOrderKey && order.number != nil
                guard let owner = take(made, isKeyed, "Order", in: &state.orders) else { return false }
                for line in order.lines {
                    let made = Object(owner: owner, number: line.number, size: line.size, serial: record.serial)
                    guard let owner = take(made, line.number != nil, "Line", in: &state.lines) else { return false }
                    for item in line.items {
                        let made = Object(owner: owner, number: item.code, size: item.size, serial: record.serial)
                        guard take(made, item.code != nil, "Item", in: &state.items) != nil else { return false }
                    }
                }
            }
            return true
        }

        private mutating func takeLine(_ record: Record) -> Bool {
            var owner: Int?
            if let number = record.order {
                owner = state.orders.firstIndex { $0.number == number }
                if owner == nil {
                    guard scenario.creates else { return false }
                    state.orders.append(Object(owner: nil, number: number))
                    owner = state.orders.count - 1
                }
            }
            let made = Object(owner: owner, number: record.number, serial: record.serial)
            return take(made, owner != nil && record.number != nil, "Line", in: &state.lines) != nil
        }

        private static func text(_ number: Int?) -> String { number.map { "\($0)" } ?? "NULL" }

        var orders: [String] {
            state.orders.map { [$0.number, $0.size, $0.serial, $0.customer].map(Self.text).joined(separator: "|") }
                .sorted()
        }

        var lines: [String] {
            state.lines.map { line in
                let order = line.owner.map { state.orders[$0] }
                return [line.number, line.size, line.serial, order?.number, order?.serial].map(Self.text)
                    .joined(separator: "|")
            }.sorted()
        }

        var items: [String] {
            state.items.map { item in
                let line = item.owner.map { state.lines[$0] }
                return [item.number, item.size, item.serial, line?.number, line?.serial].map(Self.text)
                    .joined(separator: "|")
            }.sorted()
        }
    }

    @Test(arguments: [1, 2, 3, 7, 1000])
    func keysHaveObjectsOfTheRecord(size: Int) throws {
        var (rejections, parts) = (0, 0)
        try Scenario.forEachCase(60, size: size, assembledTenths: 10) { random in
            let scenario = random.scenario
            let plain = Plain(scenario)
            func report(_ writer: NewStoreWriter) throws -> ImportReport {
                let fixture = try ImportFixture(entities: scenario.entities)
                let (report, rejected) = try scenario.runNamingRejects(
                    writer, random.options, in: fixture, isJudged: random.isJudged)
                // SQLite has found the keys of some objects by then.
                if !report.isAssembled, plain.isLate { return report }
                let context = "\(writer) \(report.lookupReasons ?? []) \(random.context)"
                try #require(rejected.sorted() == plain.rejected.sorted(), "\(context)")
                try fixture.requireRows(
                    """
                    SELECT o.ZNUMBER, o.ZSIZE, o.ZSERIAL, c.ZCODE FROM ZORDER o \
                    LEFT JOIN ZCUSTOMER c ON c.Z_PK = o.ZCUSTOMER
                    """, plain.orders, context)
                try fixture.requireRows(
                    """
                    SELECT l.ZNUMBER, l.ZSIZE, l.ZSERIAL, o.ZNUMBER, o.ZSERIAL FROM ZLINE l \
                    LEFT JOIN ZORDER o ON o.Z_PK = l.ZORDER
                    """, plain.lines, context)
                try fixture.requireRows(
                    """
                    SELECT i.ZCODE, i.ZSIZE, i.ZSERIAL, l.ZNUMBER, l.ZSERIAL FROM ZITEM i \
                    LEFT JOIN ZLINE l ON l.Z_PK = i.ZLINE
                    """, plain.items, context)
                if scenario.hasOrderKey {
                    try fixture.requireRows(
                        """
                        SELECT n.ZSERIAL, l.ZSERIAL, i.ZSERIAL FROM ZNOTE n LEFT JOIN ZLINE l ON l.Z_PK = n.ZLINE \
                        LEFT JOIN ZITEM i ON i.Z_PK = n.ZITEM
                        """, plain.notes, context)
                    #expect(report.unresolvedLinks == plain.unresolved, "\(context)")
                }
                return report
            }
            let (found, expected) = (try report(.auto), try report(.sqlite))
            // A record may be rejected for any of its objects.
            let causes = scenario.match.values.count { $0 == "error" } + scenario.unique.count
            if !plain.isLate, causes < 2 {
                #expect(found.entities == expected.entities, "\(random.context)")
                let reasons = [found, expected].map { ($0.rejections ?? []).map { "\($0)" }.sorted() }
                #expect(reasons[0] == reasons[1], "\(random.context)")
            }
            rejections += plain.rejected.count
            parts += plain.lines.count + plain.items.count
            return found
        }
        #expect(TestSettings.isFast || rejections > 10 && parts > 50, "\(rejections) rejected, \(parts) parts")
    }

    private static func source(_ file: String, match: String) -> String {
        guard file.hasPrefix("o") else {
            return """
                  - files: \(file)
                    entity: Line
                    key: [order, number]
                    onMatch: error
                    attributes: [number, serial]
                    relationships: {order: {by: number, from: order}}

                """
        }
        return """
              - files: \(file)
                objects:
                  - id: order
                    entity: Order
                    key: number
                    onMatch: \(match)
                    attributes: [number, serial]
                  - entity: Line
                    each: lines[*]
                    key: [order, number]
                    onMatch: error
                    attributes: [number, serial]
                    relationships: {order: {object: order}}

            """
    }

    private func lines(
        _ files: [(name: String, text: String)], match: String, _ writer: NewStoreWriter, rows: Int
    ) throws -> (rejected: Int64, lines: [String]) {
        var random = RandomNumbers(seed: 1)
        let fixture = try ImportFixture(entities: Scenario(&random).entities)
        let sources = files.map { Self.source($0.name, match: match) }.joined()
        let report = try fixture.run(
            files.map { try fixture.write($0.text, as: $0.name) },
            .mapping(try ImportMapping(yaml: "import: 1\nsources:\n" + sources)),
            options: ImportOptions(rows: rows, writer))
        let lines = try fixture.rows(
            "SELECT o.ZNUMBER, l.ZNUMBER, l.ZSERIAL FROM ZLINE l JOIN ZORDER o ON o.Z_PK = l.ZORDER ORDER BY 1, 2")
        return (report.rejected, lines)
    }

    /// The first record has a line twice; its order and its first line are in the way of no other record.
    @Test(arguments: [NewStoreWriter.builder, .sqlite], [1, 2, 1000])
    func aRecordThatIsRejectedForItsOwnPartsIsInNobodysWay(writer: NewStoreWriter, rows: Int) throws {
        let records = """
            {"number": 1, "serial": 1, "lines": [{"number": 0, "serial": 1}, {"number": 1}, {"number": 1}]}
            {"number": 1, "serial": 2, "lines": [{"number": 0, "serial": 2}, {"number": 0}]}
            {"number": 1, "serial": 3, "lines": [{"number": 0, "serial": 3}]}
            {"number": 2, "serial": 4, "lines": [{"number": 0, "serial": 4}]}

            """
        for match in ["update", "error"] {
            let (rejected, lines) = try lines([("o.json", records)], match: match, writer, rows: rows)
            #expect(rejected == 2 && lines == ["1|0|3", "2|0|4"], "\(match): \(rejected) \(lines)")
        }
    }

    /// A line names an order that is rejected, and is rejected itself; the next one with its key names another order.
    @Test(arguments: [NewStoreWriter.builder, .sqlite], [1, 2, 1000])
    func aLineWithoutItsOrderIsInNobodysWay(writer: NewStoreWriter, rows: Int) throws {
        let (rejected, lines) = try lines(
            [
                ("o1.json", #"{"number": 1, "lines": [{"number": 0}, {"number": 0}]}"#),
                ("l1.json", #"{"number": 1, "serial": 1, "order": 1}"#),
                ("o2.json", #"{"number": 1, "lines": []}"#),
                ("l2.json", #"{"number": 1, "serial": 2, "order": 1}"#),
            ], match: "update", writer, rows: rows)
        #expect(rejected == 2 && lines == ["1|1|2"], "\(rejected) \(lines)")
    }

    @Test(arguments: [1, 7, 1000])
    func shardsMakeTheSameFile(size: Int) throws {
        try Scenario.expectShardsOfOneFile(size: size)
    }
}
