import ImportTestSupport
import PersistentStores
import StoreAssembly
import TestSupport
import Testing

@testable import ImportMappings
@testable import StoreImport

/// Random imports of records that make several objects, and may turn out to be rejected when all are read: assembled and
/// written by SQLite, both are what a plain model has that takes one record after the other.
@Suite struct AssembledRecordTests {
    /// - Parameter unique: the attributes of which no two objects have the same value.
    private static func entities(unique: Set<String>) -> String {
        func constraint(_ name: String) -> String {
            unique.contains(name)
                ? "<uniquenessConstraints><uniquenessConstraint><constraint value=\"\(name)\"/></uniquenessConstraint>"
                    + "</uniquenessConstraints>" : ""
        }
        return """
            <entity name="Order"><attribute name="number" optional="YES" attributeType="Integer 32"/>
            <attribute name="label" optional="YES" attributeType="Integer 32"/>
            <relationship name="customer" optional="YES" maxCount="1" destinationEntity="Customer" inverseName="orders" \
            inverseEntity="Customer"/>
            <relationship name="lines" optional="YES" toMany="YES" destinationEntity="Line" inverseName="order" \
            inverseEntity="Line"/>\(constraint("label"))</entity>
            <entity name="Customer"><attribute name="name" optional="YES" attributeType="String"/>
            <attribute name="rank" optional="YES" attributeType="Integer 32"/>
            <relationship name="region" optional="YES" maxCount="1" destinationEntity="Region" inverseName="customers" \
            inverseEntity="Region"/>
            <relationship name="products" optional="YES" toMany="YES" destinationEntity="Product" inverseName="maker" \
            inverseEntity="Product"/>
            <relationship name="orders" optional="YES" toMany="YES" destinationEntity="Order" inverseName="customer" \
            inverseEntity="Order"/>\(constraint("rank"))</entity>
            <entity name="Line"><attribute name="count" optional="YES" attributeType="Integer 32"/>
            <attribute name="place" optional="YES" attributeType="Integer 32"/>
            <relationship name="order" optional="YES" maxCount="1" destinationEntity="Order" inverseName="lines" \
            inverseEntity="Order"/>
            <relationship name="product" optional="YES" maxCount="1" destinationEntity="Product" inverseName="lines" \
            inverseEntity="Product"/>\(constraint("count"))</entity>
            <entity name="Product"><attribute name="code" optional="YES" attributeType="String"/>
            <relationship name="maker" optional="YES" maxCount="1" destinationEntity="Customer" inverseName="products" \
            inverseEntity="Customer"/>
            <relationship name="lines" optional="YES" toMany="YES" destinationEntity="Line" inverseName="product" \
            inverseEntity="Line"/></entity>
            <entity name="Region"><attribute name="code" optional="YES" attributeType="String"/>
            <relationship name="customers" optional="YES" toMany="YES" destinationEntity="Customer" inverseName="region" \
            inverseEntity="Customer"/></entity>
            """
    }

    private struct Record {
        let file: String
        let line: Int
        /// Of an order.
        var number = 0
        var label: Int?
        var customer: String?
        var rank = 0
        var region: String?
        var lines: [(place: Int, count: Int, product: String)] = []
        /// Of a product.
        var code = ""
        var maker: String?

        var text: String {
            func quoted(_ text: String?) -> String { text.map { "\"\($0)\"" } ?? "null" }
            if file.hasPrefix("products") { return "{\"code\": \"\(code)\", \"maker\": \(quoted(maker))}\n" }
            let parts = lines.map { "{\"place\": \($0.place), \"count\": \($0.count), \"product\": \"\($0.product)\"}" }
            var fields = ["\"number\": \(number)", "\"label\": \(label.map { "\($0)" } ?? "null")"]
            if let customer {
                fields.append(
                    "\"customer\": {\"name\": \"\(customer)\", \"rank\": \(rank), \"region\": \(quoted(region))}")
            }
            fields.append("\"lines\": [\(parts.joined(separator: ", "))]")
            return "{" + fields.joined(separator: ", ") + "}\n"
        }
    }

    private struct Scenario: RandomImport {
        let unique: Set<String>
        let makerMissing: String
        let productMissing: String
        let hasCustomerKey: Bool
        let hasLineKey: Bool
        let isOrdersFirst: Bool
        var mapping = ""
        var files: [(name: String, text: String)] = []
        var entities: String { AssembledRecordTests.entities(unique: unique) }
        var records: [Record] = []

        init(_ random: inout RandomNumbers) {
            func pick(_ values: [String]) -> String { values.randomElement(using: &random) ?? values[0] }
            func number(below limit: Int) -> Int { Int.random(in: 0..<limit, using: &random) }
            unique = number(below: 2) == 0 ? [] : Set(["label", "rank", "count"].filter { _ in number(below: 2) == 0 })
            productMissing = pick(["error", "error", "skip"])
            makerMissing = pick(["error", "skip"])
            // What is unique is the key, where the mapping names no other.
            hasCustomerKey = unique.contains("rank") || Bool.random(using: &random)
            hasLineKey = unique.contains("count")
            let orders = """
                  - files: orders*.json
                    objects:
                      - id: order
                        entity: Order
                        key: number
                        attributes: [number, label]
                        relationships: {customer: {object: customer}}
                      - id: customer
                        entity: Customer
                        each: customer
                        \(hasCustomerKey ? "key: name" : "# no key")
                        attributes: [name, rank]
                        relationships: {region: {by: code, from: region, onMissing: create}}
                      - id: line
                        entity: Line
                        each: lines[*]
                        \(hasLineKey ? "key: place" : "# no key")
                        attributes: [place, count]
                        relationships:
                          order: {object: order}
                          product: {by: code, from: product, onMissing: \(productMissing)}

                """
            let products = """
                  - files: products*.json
                    entity: Product
                    key: code
                    attributes: [code]
                    relationships: {maker: {by: name, from: maker, onMissing: \(makerMissing)}}

                """
            // Few records are left if all of them want the same few values.
            let values = unique.isEmpty ? 1 : 8
            isOrdersFirst = Bool.random(using: &random)
            mapping = "import: 1\nsources:\n" + (isOrdersFirst ? orders + products : products + orders)
            for kind in isOrdersFirst ? ["orders", "products"] : ["products", "orders"] {
                for part in 0..<number(below: 2) + 1 {
                    let name = "\(kind)\(part).json"
                    var text = ""
                    for line in 0..<number(below: kind == "orders" ? 10 : 6) {
                        var record = Record(file: name, line: line + 1)
                        if kind == "orders" {
                            record.number = number(below: 8)
                            record.label = number(below: 4) == 0 ? nil : number(below: 6 * values)
                            record.customer = number(below: 4) == 0 ? nil : "c\(number(below: 5))"
                            record.rank = number(below: 3 * values)
                            record.region = number(below: 3) == 0 ? nil : "r\(number(below: 4))"
                            record.lines = (0..<number(below: 3)).map { _ in
                                (number(below: 12), number(below: 9 * values), "p\(number(below: 7))")
                            }
                        } else {
                            record.code = "p\(number(below: 7))"
                            record.maker = number(below: 4) == 0 ? nil : "c\(number(below: 6))"
                        }
                        records.append(record)
                        text += record.text
                    }
                    files.append((name, text))
                }
            }
        }
    }

    /// What the records come to, read one after the other, without those that name what is nowhere and must not.
    private struct Plain {
        private struct Customer {
            let name: String
            var rank: Int
            var region: String?
        }

        private struct Order {
            let number: Int
            var label: Int?
            /// The place of the customer.
            var customer: Int?
        }

        private var customers: [Customer] = []
        private var orders: [Order] = []
        private var lines: [(place: Int, order: Int, count: Int, product: String)] = []
        private var makers: [String: String?] = [:]
        private var regionCodes: Set<String> = []
        private var isRejected: [Bool]
        private(set) var rejected: [String] = []
        /// Whether a value is another object's because that has it again without a record that is rejected.
        private(set) var hasLateConflicts = false

        init(_ scenario: Scenario) {
            isRejected = [Bool](repeating: false, count: scenario.records.count)
            var isFirst = true
            while true {
                let known = isRejected.count { $0 }
                let failing = read(scenario)
                if !isFirst, isRejected.count(where: { $0 }) > known { hasLateConflicts = true }
                isFirst = false
                if failing.isEmpty { break }
                for index in failing { isRejected[index] = true }
            }
            for (index, record) in scenario.records.enumerated() where isRejected[index] {
                rejected.append("\(record.file):\(record.line)")
            }
        }

        /// - Returns: the records that cannot be.
        private mutating func read(_ scenario: Scenario) -> [Int] {
            (customers, orders, lines, makers, regionCodes) = ([], [], [], [:], [])
            var failing: [Int] = []
            for (index, record) in scenario.records.enumerated() where !isRejected[index] {
                if record.file.hasPrefix("products") {
                    makers[record.code] = record.maker
                    continue
                }
                // What earlier files do not have is nowhere.
                if !scenario.isOrdersFirst, scenario.productMissing == "error",
                    record.lines.contains(where: { makers[$0.product] == nil })
                {
                    isRejected[index] = true
                    continue
                }
                let known = orders.firstIndex { $0.number == record.number }
                let before = (customers, orders, lines, regionCodes)
                var customer: Int?
                if let name = record.customer {
                    customer = scenario.hasCustomerKey ? customers.firstIndex { $0.name == name } : nil
                    if customer == nil {
                        customers.append(Customer(name: name, rank: 0))
                        customer = customers.count - 1
                    }
                    if let customer {
                        customers[customer].rank = record.rank
                        customers[customer].region = record.region
                    }
                }
                if let region = record.region, record.customer != nil { regionCodes.insert(region) }
                if known == nil { orders.append(Order(number: record.number)) }
                let order = known ?? orders.count - 1
                orders[order].label = record.label
                if let customer { orders[order].customer = customer }
                for line in record.lines {
                    let made = (line.place, order, line.count, line.product)
                    if scenario.hasLineKey, let known = lines.firstIndex(where: { $0.place == line.place }) {
                        lines[known] = made
                    } else {
                        lines.append(made)
                    }
                }
                if hasEqual(scenario.unique) {
                    (customers, orders, lines, regionCodes) = before
                    isRejected[index] = true
                }
            }
            for (index, record) in scenario.records.enumerated() where !isRejected[index] {
                if record.file.hasPrefix("products") {
                    guard scenario.makerMissing == "error", let maker = record.maker else { continue }
                    if !customers.contains(where: { $0.name == maker }) { failing.append(index) }
                } else if scenario.productMissing == "error" {
                    if record.lines.contains(where: { makers[$0.product] == nil }) { failing.append(index) }
                }
            }
            return failing
        }

        /// Whether two objects have the same value of an attribute.
        private func hasEqual(_ attributes: Set<String>) -> Bool {
            attributes.contains { attribute in
                let values =
                    switch attribute {
                    case "label": orders.compactMap(\.label)
                    case "rank": customers.map(\.rank)
                    default: lines.map(\.count)
                    }
                return Set(values).count < values.count
            }
        }

        /// By entity, the to-ones that lead somewhere.
        var related: [String: Int64] {
            let products = lines.count { makers[$0.product] != nil }
            let found = makers.values.count { maker in customers.contains { $0.name == maker } }
            return [
                "Order": Int64(orders.count { $0.customer != nil }),
                "Customer": Int64(customers.count { $0.region != nil }), "Line": Int64(lines.count + products),
                "Product": Int64(found),
            ]
        }

        var tables: [[String]] {
            func text(_ value: Int?) -> String { value.map { "\($0)" } ?? "NULL" }
            return [
                orders.map { order in
                    let customer = order.customer.map { customers[$0] }
                    return "\(order.number)|\(text(order.label))|\(customer?.name ?? "NULL")|\(text(customer?.rank))"
                },
                customers.map { "\($0.name)|\($0.rank)|\($0.region ?? "NULL")" },
                lines.map { line in
                    "\(orders[line.order].number)|\(line.count)|\(makers[line.product] == nil ? "NULL" : line.product)"
                },
                makers.map { code, maker in
                    let found = maker.flatMap { name in customers.first { $0.name == name } }
                    return "\(code)|\(found?.name ?? "NULL")"
                },
                Array(regionCodes),
            ].map { $0.sorted() }
        }
    }

    private static let queries = [
        "SELECT o.ZNUMBER, o.ZLABEL, c.ZNAME, c.ZRANK FROM ZORDER o LEFT JOIN ZCUSTOMER c ON c.Z_PK = o.ZCUSTOMER",
        "SELECT c.ZNAME, c.ZRANK, r.ZCODE FROM ZCUSTOMER c LEFT JOIN ZREGION r ON r.Z_PK = c.ZREGION",
        "SELECT o.ZNUMBER, l.ZCOUNT, p.ZCODE FROM ZLINE l LEFT JOIN ZORDER o ON o.Z_PK = l.ZORDER "
            + "LEFT JOIN ZPRODUCT p ON p.Z_PK = l.ZPRODUCT",
        "SELECT p.ZCODE, c.ZNAME FROM ZPRODUCT p LEFT JOIN ZCUSTOMER c ON c.Z_PK = p.ZMAKER",
        "SELECT ZCODE FROM ZREGION",
    ]

    @Test(arguments: [1, 2, 3, 7, 1000])
    func aRejectedRecordTakesAllItsObjectsBack(size: Int) throws {
        var rejections = 0
        try Scenario.forEachCase(60, size: size, assembledTenths: 7.5) { random in
            let scenario = random.scenario
            random.options.fixedLimits.assembly.constraintPages = 1
            let plain = Plain(scenario)
            let context = random.context
            func report(_ writer: NewStoreWriter) throws -> ImportReport {
                let fixture = try ImportFixture(entities: scenario.entities)
                let (report, rejected) = try scenario.runNamingRejects(
                    writer, random.options, in: fixture, isJudged: random.isJudged)
                // SQLite sees only what objects have in the end, when records have been taken back.
                if !report.isAssembled, plain.hasLateConflicts { return report }
                try #require(rejected == plain.rejected, "\(writer) \(context)")
                for (query, expected) in zip(Self.queries, plain.tables) {
                    try fixture.requireRows(query, expected, "\(writer) \(context)")
                }
                return report
            }
            let (found, expected) = (try report(.auto), try report(.sqlite))
            for report in [found, expected] where report.isAssembled || !plain.hasLateConflicts {
                for entity in report.entities {
                    #expect(entity.related == plain.related[entity.entity] ?? 0, "\(entity) \(context)")
                }
            }
            if !plain.hasLateConflicts {
                let inserted = [found, expected].map { $0.entities.filter { $0.inserted != 0 }.map(\.inserted) }
                #expect(inserted[0] == inserted[1], "\(context)")
                #expect(found.unresolvedLinks == expected.unresolvedLinks, "\(context)")
            }
            rejections += plain.rejected.count
            return found
        }
        #expect(TestSettings.isFast || rejections > RandomNumbers.seeds(60).count / 2)
    }

    @Test(arguments: [1, 2, 3, 7, 1000])
    func shardsMakeTheSameFile(size: Int) throws {
        try Scenario.expectShardsOfOneFile(size: size)
    }
}
