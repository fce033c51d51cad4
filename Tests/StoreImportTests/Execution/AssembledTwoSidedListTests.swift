import ImportTestSupport
import PersistentStores
import StoreAssembly
import TestSupport
import Testing

@testable import ImportMappings
@testable import StoreImport

/// Random imports into a new store of a many-to-many relationship of which both sides have lists, of objects by key or in
/// place, which replace others, are added to them or fill what is empty, and whose links may be counted or ordered:
/// assembled and written by SQLite, both are what a plain model has, whatever the batches are.
@Suite struct AssembledTwoSidedListTests {
    private enum Rule: String, CaseIterable { case replace, add, fill, skip }

    private struct Record {
        /// 0 for a club, 1 for a person.
        let side: Int
        let place: String
        let code: Int
        let rule: Rule
        let isInPlace: Bool
        /// The value by which links that are added come among others.
        let order: Int?
        /// The codes of those in its list; nil where it does not mention it.
        let list: [Int]?

        var line: String {
            var fields = ["\"code\": \(code)"]
            if let order { fields.append("\"place\": \(order)") }
            if let list {
                let texts = list.map { isInPlace ? "{\"code\": \($0)}" : "\($0)" }
                fields.append("\"list\": [\(texts.joined(separator: ", "))]")
            }
            return "{\(fields.joined(separator: ", "))}\n"
        }
    }

    private struct Scenario: RandomImport {
        static let names = [(entity: "Club", list: "people"), (entity: "Person", list: "clubs")]
        /// Whether the relationship leads from people to people.
        let isOfOneEntity: Bool
        /// By side, how many links the model allows; 0 for any number.
        let most: [Int]
        let areOrdered: [Bool]
        /// By side.
        let missing: [String]
        var mapping = "import: 1\nsources:\n"
        var records: [Record] = []
        var files: [(name: String, text: String)] = []
        /// The side whose lists the mapping has first.
        var firstSide = 0

        var entities: String {
            let code = "<attribute name=\"code\" optional=\"YES\" attributeType=\"Integer 32\"/>"
            func list(_ side: Int) -> String {
                let (own, other) = (Self.names[side], Self.names[1 - side])
                let order = areOrdered[side] ? " ordered=\"YES\"" : ""
                return """
                    <relationship name="\(own.list)" optional="YES" toMany="YES"\(order)\
                    \(most[side] > 0 ? " maxCount=\"\(most[side])\"" : "") \
                    destinationEntity="\(entity(1 - side))" inverseName="\(other.list)" \
                    inverseEntity="\(entity(1 - side))"/>
                    """
            }
            guard !isOfOneEntity else { return "<entity name=\"Person\">\(code)\(list(0))\(list(1))</entity>" }
            return "<entity name=\"Club\">\(code)\(list(0))</entity><entity name=\"Person\">\(code)\(list(1))</entity>"
        }

        func entity(_ side: Int) -> String { isOfOneEntity ? "Person" : Self.names[side].entity }

        init(_ random: inout RandomNumbers) {
            func number(below limit: Int) -> Int { Int.random(in: 0..<limit, using: &random) }
            isOfOneEntity = number(below: 4) == 0
            let isCounted = number(below: 4) == 0
            most = [isCounted && number(below: 2) == 0 ? 3 : 0, isCounted ? 2 : 0]
            let isOrdered = number(below: 2) == 0
            areOrdered = (0..<2).map { _ in isOrdered && number(below: 3) > 0 }
            let hasPlaces = number(below: 3) == 0
            missing = (0..<2).map { _ in ["skip", "skip", "error", "create"].randomElement(using: &random) ?? "skip" }
            // Of each side, most lists have one rule.
            let rules = (0..<2).map { _ in Rule.allCases.randomElement(using: &random) ?? .add }
            let areMixed = number(below: 2) == 0
            var sources = [("club", 0), ("person", 1), ("more", number(below: 2))]
            if Bool.random(using: &random) { sources.removeLast() }
            sources.shuffle(using: &random)
            firstSide = sources[0].1
            for (name, side) in sources {
                // Where the links of objects of one entity are counted or ordered, these come in the order of the
                // records.
                let isInPlace = number(below: 3) == 0 && !(isOfOneEntity && (isCounted || isOrdered))
                let rule = areMixed ? Rule.allCases.randomElement(using: &random) ?? .add : rules[side]
                let policy = "onMatch: \([.fill, .skip].contains(rule) ? rule.rawValue : "update")"
                // Records that are skipped make nothing.
                let onMissing = rule == .skip && missing[side] == "create" ? "skip" : missing[side]
                let order = hasPlaces && areOrdered[side] ? ", order: place" : ""
                let adds = "add: \(rule == .add)"
                let list = Self.names[side].list
                mapping += "  - files: \(name)*.json\n"
                if isInPlace {
                    mapping += """
                            objects:
                              - {entity: \(entity(side)), key: code, \(policy), attributes: [code],
                                 relationships: {\(list): {object: other, add: \(rule == .add)}}}
                              - {id: other, entity: \(entity(1 - side)), each: 'list[*]', key: code, attributes: [code]}

                        """
                } else {
                    mapping += """
                            entity: \(entity(side))
                            key: code
                            \(policy)
                            attributes: [code]
                            relationships:
                              \(list): {by: code, from: 'list[*]', \(adds), onMissing: \(onMissing)\(order)}

                        """
                }
                for part in 0..<number(below: 2) + 1 {
                    let file = "\(name)\(part).json"
                    var text = ""
                    for line in 0..<number(below: 9) {
                        var others = Array(0..<6)
                        let code = number(below: side == 0 ? 3 : 6)
                        // No object is twice in a record.
                        if isOfOneEntity { others.removeAll { $0 == code } }
                        others.shuffle(using: &random)
                        let record = Record(
                            side: side, place: "\(file):\(line + 1)", code: code, rule: rule,
                            isInPlace: isInPlace,
                            order: order.isEmpty || isInPlace || number(below: 4) == 0 ? nil : number(below: 4),
                            list: number(below: 6) == 0
                                ? nil
                                : others.filter { side == 0 || isOfOneEntity || $0 < 4 }.prefix(number(below: 4)).map(
                                    \.self))
                        records.append(record)
                        text += record.line
                    }
                    files.append((file, text))
                }
            }
        }
    }

    /// What the records come to without those that cannot be.
    private struct Plain {
        private struct Object: Hashable {
            let kind: Int
            let code: Int
        }

        /// All objects in their order.
        private var objects: [Object] = []
        private(set) var links: Set<[Int]> = []
        private(set) var rejected: Set<String> = []
        private(set) var unresolved: Int64 = 0
        /// The links that records say which count, with their indices, and the records that make objects.
        private var sayings: [(record: Int, ordinal: Int, link: [Int])] = []
        private var makers: [Object: Int] = [:]
        private let scenario: Scenario

        init(_ scenario: Scenario) {
            self.scenario = scenario
            var isRejected = scenario.records.map { _ in false }
            while true {
                let late = read(scenario.records.indices.filter { !isRejected[$0] })
                let surplus = late.isEmpty ? self.surplus : late
                if surplus.isEmpty { break }
                for index in surplus { isRejected[index] = true }
            }
            for (index, record) in scenario.records.enumerated() where isRejected[index] {
                rejected.insert(record.place)
            }
        }

        private func kind(_ side: Int) -> Int { scenario.isOfOneEntity ? 0 : side }

        private func creates(_ record: Record) -> Bool {
            scenario.missing[record.side] == "create" && record.rule != .skip && !record.isInPlace
        }

        /// Reads records one after the other.
        ///
        /// - Returns: those that lack what they need.
        private mutating func read(_ indices: [Int]) -> [Int] {
            (objects, makers, sayings, links, unresolved) = ([], [:], [], [], 0)
            func make(_ object: Object, _ record: Int) {
                if makers.updateValue(makers[object] ?? record, forKey: object) == nil { objects.append(object) }
            }
            for index in indices {
                let record = scenario.records[index]
                make(Object(kind: kind(record.side), code: record.code), index)
                guard record.isInPlace else { continue }
                for code in record.list ?? [] { make(Object(kind: kind(1 - record.side), code: code), index) }
            }
            for index in indices where creates(scenario.records[index]) {
                let record = scenario.records[index]
                for code in record.list ?? [] { make(Object(kind: kind(1 - record.side), code: code), -1) }
            }
            let late = indices.filter { index in
                let record = scenario.records[index]
                return !record.isInPlace && scenario.missing[record.side] == "error"
                    && (record.list ?? []).contains { makers[Object(kind: kind(1 - record.side), code: $0)] == nil }
            }
            if late.isEmpty { link(indices) }
            return late
        }

        private mutating func link(_ indices: [Int]) {
            // By side, the objects that have links, those of which a list has replaced another, and what is named.
            var linked: [Set<Int>] = [[], []]
            var replaced: [Set<Int>] = [[], []]
            var named: [Set<[Int]>] = [[], []]
            var unfilled: [[Int: Int64]] = [[:], [:]]
            var said: [(record: Int, ordinal: Int, link: [Int])] = []
            for index in indices {
                let record = scenario.records[index]
                let (side, code) = (record.side, record.code)
                let isNew = makers[Object(kind: kind(side), code: code)] == index
                guard let list = record.list, isNew || record.rule != .skip else { continue }
                if record.rule == .replace, !isNew { replaced[side].insert(code) }
                // A list that a later one replaces is as if it had not been there.
                let isEnded = indices.contains {
                    let later = scenario.records[$0]
                    return $0 > index && later.side == side && later.code == code && later.list != nil
                        && later.rule == .replace
                }
                guard !isEnded, record.rule != .fill || !linked[side].contains(code) else { continue }
                let found = list.filter { makers[Object(kind: kind(1 - side), code: $0)] != nil }
                let absences = Int64(list.count - found.count)
                if record.rule == .fill, !list.isEmpty {
                    unresolved -= unfilled[side].removeValue(forKey: code) ?? 0
                    if found.isEmpty { unfilled[side][code] = absences }
                }
                unresolved += absences
                guard !found.isEmpty else { continue }
                linked[side].insert(code)
                linked[1 - side].formUnion(found)
                for (ordinal, other) in found.enumerated() {
                    let link = side == 0 ? [code, other] : [other, code]
                    named[side].insert(link)
                    said.append((index, ordinal, link))
                }
            }
            sayings = said.filter { _, _, link in
                (0..<2).allSatisfy { named[$0].contains(link) || !replaced[$0].contains(link[$0]) }
            }
            links = Set(sayings.map(\.link))
        }

        /// The records that give objects more links than these may have, of which the first ones stay: those of the
        /// record that makes the object, then the others.
        private var surplus: [Int] {
            var rejected: Set<Int> = []
            for kind in 0..<2 {
                for object in objects where object.kind == kind {
                    // By relationship, in the order of the names.
                    for side in [1, 0] where self.kind(side) == kind && scenario.most[side] > 0 {
                        let own = sayings.filter { $0.link[side] == object.code && !rejected.contains($0.record) }
                        let maker = makers[object]
                        var known: Set<Int> = []
                        for record in Set(own.map(\.record)).sorted(by: {
                            ($0 == maker ? -1 : $0) < ($1 == maker ? -1 : $1)
                        }) {
                            known.formUnion(own.filter { $0.record == record }.map { $0.link[1 - side] })
                            if known.count > scenario.most[side] { rejected.insert(record) }
                        }
                    }
                }
            }
            return rejected.sorted()
        }

        /// The lists of a side that have anything, in order.
        func lists(_ side: Int) -> [String] {
            objects.filter { $0.kind == kind(side) }.compactMap { object in
                let others = objects.filter { $0.kind == kind(1 - side) }.map(\.code).filter { other in
                    links.contains(side == 0 ? [object.code, other] : [other, object.code])
                }
                let said = sayings.filter { $0.link[side] == object.code && scenario.records[$0.record].side == side }
                /// What the object names, where it was named last.
                let own = others.compactMap { other -> (other: Int, place: [Int])? in
                    guard let record = said.last(where: { $0.link[1 - side] == other })?.record else { return nil }
                    let order = scenario.records[record].rule == .add ? scenario.records[record].order : nil
                    let ordinal = said.first { $0.record == record && $0.link[1 - side] == other }?.ordinal ?? 0
                    return (other, [order ?? -1, record, ordinal])
                }.sorted { $0.place.lexicographicallyPrecedes($1.place) }.map(\.other)
                let isOfFirst = { (other: Int) in
                    sayings.contains {
                        $0.link == (side == 0 ? [object.code, other] : [other, object.code])
                            && scenario.records[$0.record].side == scenario.firstSide
                    }
                }
                var list = own[...]
                // The lists of the side that is mapped first come first.
                let before = others.filter(isOfFirst) + others.filter { !isOfFirst($0) }
                let inOrder =
                    side == scenario.firstSide
                    ? own + others.filter { !own.contains($0) }
                    : before.map { own.contains($0) ? list.popFirst() ?? $0 : $0 }
                let shown = scenario.areOrdered[side] ? inOrder : inOrder.sorted()
                return others.isEmpty ? nil : "\(object.code)|\(shown.map { "\($0)" }.joined(separator: ","))"
            }.sorted()
        }

        func codes(_ side: Int) -> [String] { objects.filter { $0.kind == kind(side) }.map { "\($0.code)" }.sorted() }

    }

    private static func lists(
        _ fixture: ImportFixture, _ scenario: Scenario, _ side: Int
    ) throws -> [String] {
        let table = try #require(
            try fixture.rows(
                "SELECT name FROM sqlite_master WHERE name GLOB 'Z_[0-9]*CLUBS' OR name GLOB 'Z_[0-9]*PEOPLE'"
            ).first)
        let columns = try fixture.rows("SELECT name FROM pragma_table_info('\(table)')")
        func column(_ name: String, isOrder: Bool = false) throws -> String {
            try #require(columns.first { $0.hasSuffix(name.uppercased()) && $0.hasPrefix("Z_FOK") == isOrder })
        }
        let (own, other) = (Scenario.names[side].list, Scenario.names[1 - side].list)
        let order = scenario.areOrdered[side] ? "j.\(try column(own, isOrder: true))" : "d"
        return try fixture.rows(
            """
            SELECT o, group_concat(d) FROM (SELECT a.ZCODE AS o, b.ZCODE AS d FROM \(table) j \
            JOIN Z\(scenario.entity(side)) a ON a.Z_PK = j.\(column(other)) \
            JOIN Z\(scenario.entity(1 - side)) b ON b.Z_PK = j.\(column(own)) ORDER BY o, \(order)) GROUP BY o
            """
        ).sorted()
    }

    @Test(arguments: [1, 2, 3, 7, 1000])
    func bothSidesHaveLists(size: Int) throws {
        var (links, rejections) = (0, 0)
        try Scenario.forEachCase(100, size: size, assembledTenths: 10) { random in
            let scenario = random.scenario
            let plain = Plain(scenario)
            random.options.fixedLimits.assembly.listPages = 1
            links += plain.links.count
            rejections += plain.rejected.count
            func report(_ writer: NewStoreWriter) throws -> ImportReport {
                let context = "\(writer) \(random.context)"
                let fixture = try ImportFixture(entities: scenario.entities)
                let (report, rejected) = try scenario.runNamingRejects(
                    writer, random.options, in: fixture, isJudged: random.isJudged)
                try #require(rejected.sorted() == plain.rejected.sorted(), "\(context)")
                for side in [0, 1] {
                    let found = try Self.lists(fixture, scenario, side)
                    try #require(found == plain.lists(side), "\(side) \(context)")
                }
                for side in [0, 1] where side == 1 || !scenario.isOfOneEntity {
                    try fixture.requireRows(
                        "SELECT ZCODE FROM Z\(scenario.entity(side).uppercased())", plain.codes(side), context)
                }
                #expect(report.unresolvedLinks == plain.unresolved, "\(context)")
                let related = report.entities.map { $0.related - $0.unrelated }.reduce(0, +)
                #expect(related == Int64(plain.links.count), "\(context)")
                return report
            }
            let found = try report(.auto)
            // SQLite asks whether a list that is filled has links before those come that wait.
            if scenario.records.contains(where: { $0.rule == .fill }) { return found }
            // It puts back what rejected records have changed, but not always in its place.
            let haveOneRule = (0..<2).allSatisfy { side in
                Set(scenario.records.filter { $0.side == side }.map(\.rule)).count < 2
            }
            let isPlain =
                haveOneRule && !scenario.isOfOneEntity && scenario.most == [0, 0]
                && !scenario.areOrdered.contains(true)
            guard plain.rejected.isEmpty || isPlain else { return found }
            // It writes the links to objects in place first, and creates what lists name in the order of their owners.
            let hasOwnOrder = scenario.records.contains(where: \.isInPlace) || scenario.missing.contains("create")
            if scenario.areOrdered.contains(true), hasOwnOrder { return found }
            let other = try report(.sqlite)
            let counts = [found, other].map { report in
                report.entities.map { "\($0.entity) \($0.inserted) \($0.skipped)" }.sorted()
            }
            #expect(counts[0] == counts[1], "\(random.context)")
            return found
        }
        #expect(TestSettings.isFast || links > RandomNumbers.seeds(100).count * 2)
        #expect(TestSettings.isFast || rejections > RandomNumbers.seeds(100).count / 5)
    }

    @Test(arguments: [1, 7, 1000])
    func shardsMakeTheSameFile(size: Int) throws {
        try Scenario.expectShardsOfOneFile(size: size)
    }
}
