import ImportTestSupport
import PersistentStores
import StoreAssembly
import TestSupport
import Testing

@testable import ImportMappings
@testable import StoreImport

/// Random imports into a new store of records that make several objects of one entity, which may be the same object,
/// and name others of it that are created. Assembled stores and those that SQLite writes have what a plain model has
/// that takes one record after the other, and its objects one after the other.
@Suite struct AssembledEqualObjectTests {
    private struct Airport {
        let match: String
        let missing: String
    }

    private struct Record: NumberRecord {
        let place: String
        var fields: [(name: String, value: Int?)] = []
    }

    private struct Scenario: RandomImport {
        /// The origin, and the destination.
        var airports: [Airport] = []
        let match: String
        let hub: String
        let isUnique: Bool
        var records: [Record] = []
        var files: [(name: String, text: String)] = []
        var entities: String {
            let constraint =
                "<uniquenessConstraints><uniquenessConstraint><constraint value=\"sign\"/></uniquenessConstraint>"
                + "</uniquenessConstraints>"
            return """
                <entity name="Flight"><attribute name="number" optional="YES" attributeType="Integer 32"/>
                <relationship name="origin" optional="YES" maxCount="1" destinationEntity="Airport" \
                inverseName="departures" inverseEntity="Flight"/>
                <relationship name="target" optional="YES" maxCount="1" destinationEntity="Airport" \
                inverseName="arrivals" inverseEntity="Flight"/></entity>
                <entity name="Airport"><attribute name="code" optional="YES" attributeType="Integer 32"/>
                <attribute name="name" optional="YES" attributeType="Integer 32"/>
                <attribute name="sign" optional="YES" attributeType="Integer 32"/>
                <relationship name="hub" optional="YES" maxCount="1" destinationEntity="Airport" \
                inverseName="spokes" inverseEntity="Airport"/>
                <relationship name="spokes" optional="YES" toMany="YES" destinationEntity="Airport" \
                inverseName="hub" inverseEntity="Airport"/>
                <relationship name="departures" optional="YES" toMany="YES" destinationEntity="Flight" \
                inverseName="origin" inverseEntity="Flight"/>
                <relationship name="arrivals" optional="YES" toMany="YES" destinationEntity="Flight" \
                inverseName="target" inverseEntity="Flight"/>\(isUnique ? constraint : "")</entity>
                """
        }
        var mapping: String {
            func airport(_ index: Int, _ prefix: String) -> String {
                """
                      - id: \(prefix)
                        entity: Airport
                        key: code
                        onMatch: \(airports[index].match)
                        onMissing: \(airports[index].missing)
                        attributes: {code: \(prefix), name: \(prefix)Name, sign: \(prefix)Sign}
                        relationships: {hub: {by: code, from: \(prefix)Hub, onMissing: \(hub)}}

                """
            }
            return """
                import: 1
                sources:
                  - files: flights*.json
                    objects:
                \(airport(0, "origin"))\(airport(1, "target"))      - entity: Flight
                        key: number
                        onMatch: \(match)
                        attributes: [number]
                        relationships: {origin: {object: origin}, target: {object: target}}

                """
        }

        init(_ random: inout RandomNumbers) {
            func pick(_ values: [String]) -> String { values.randomElement(using: &random) ?? values[0] }
            func number(below limit: Int) -> Int { Int.random(in: 0..<limit, using: &random) }
            isUnique = number(below: 3) == 0
            for _ in 0..<2 {
                airports.append(
                    Airport(
                        match: pick(["update", "update", "fill", "fill", "skip", "skip", "skip", "error"]),
                        missing: pick(["create", "create", "create", "error"])))
            }
            match = pick(["update", "update", "fill", "skip", "error"])
            hub = pick(["skip", "create", "error"])
            let codes = [3, 8, 20].randomElement(using: &random) ?? 3
            for part in 0..<number(below: 2) + 1 {
                let file = "flights\(part).json"
                var text = ""
                for line in 0..<number(below: 14) {
                    var record = Record(place: "\(file):\(line + 1)")
                    record.fields.append(("number", number(below: codes)))
                    for prefix in ["origin", "target"] {
                        record.fields.append((prefix, number(below: 15) == 0 ? nil : number(below: codes)))
                        if number(below: 3) > 0 { record.fields.append((prefix + "Name", number(below: 3))) }
                        if number(below: 3) == 0 { record.fields.append((prefix + "Sign", number(below: 20))) }
                        if number(below: 4) == 0 { record.fields.append((prefix + "Hub", number(below: codes + 2))) }
                    }
                    records.append(record)
                    text += record.line
                }
                files.append((file, text))
            }
        }
    }

    private struct Plain {
        struct Object {
            let code: Int?
            var name: Int?
            var sign: Int?
            /// What records say of the hub, until all are read.
            var hubs: [(code: Int, fills: Bool)] = []
            var hub: Int?
        }

        private(set) var airports: [Object] = []
        /// Flights with the positions of their airports, nil for none.
        private(set) var flights: [(number: Int, ends: [Int?])] = []
        private(set) var rejected: Set<String> = []
        /// Whether records are rejected for what is there when all are read.
        private(set) var hasLateRejections = false

        init(_ scenario: Scenario) {
            var isRejected = [Bool](repeating: false, count: scenario.records.count)
            while true {
                let (late, mismatches) = read(scenario, &isRejected)
                let next = late.isEmpty ? mismatches : late
                if next.isEmpty { break }
                hasLateRejections = true
                for index in next { isRejected[index] = true }
            }
            for (index, record) in scenario.records.enumerated() where isRejected[index] {
                rejected.insert(record.place)
            }
        }

        private func find(_ code: Int?) -> Int? {
            guard let code else { return nil }
            return airports.firstIndex { $0.code == code }
        }

        private enum Outcome { case taken, mismatch, rejected }

        private mutating func take(_ record: Record, _ scenario: Scenario) -> Outcome {
            var ends: [Int?] = []
            // What records name is created before their objects are looked for.
            for (position, prefix) in ["origin", "target"].enumerated() {
                let policy = scenario.airports[position]
                let code = record[prefix] ?? nil
                let isNewBefore = find(code) == nil
                if scenario.hub == "create", let hub = record[prefix + "Hub"], let hub, find(hub) == nil {
                    airports.append(Object(code: hub))
                }
                let known = find(code)
                if known != nil, policy.match == "error" { return .mismatch }
                if known == nil, policy.missing == "error" { return .rejected }
                if let known, policy.match == "skip" {
                    ends.append(known)
                    continue
                }
                var airport = known.map { airports[$0] } ?? Object(code: code)
                let fills = !isNewBefore && policy.match == "fill"
                if let name = record[prefix + "Name"], !fills || airport.name == nil { airport.name = name }
                if let sign = record[prefix + "Sign"], !fills || airport.sign == nil { airport.sign = sign }
                if let hub = record[prefix + "Hub"], let hub { airport.hubs.append((hub, fills)) }
                if scenario.isUnique, let sign = airport.sign,
                    airports.indices.contains(where: { $0 != known && airports[$0].sign == sign })
                {
                    return .rejected
                }
                if let known {
                    airports[known] = airport
                    ends.append(known)
                } else {
                    airports.append(airport)
                    ends.append(airports.count - 1)
                }
            }
            let number = record["number"].flatMap { $0 } ?? 0
            guard let known = flights.firstIndex(where: { $0.number == number }) else {
                flights.append((number, ends))
                return .taken
            }
            if scenario.match == "error" { return .mismatch }
            if scenario.match == "update" { flights[known].ends = ends }
            return .taken
        }

        /// - Returns: the records that lack what they need, and those whose objects are not theirs to make.
        private mutating func read(
            _ scenario: Scenario, _ isRejected: inout [Bool]
        ) -> (late: [Int], mismatches: [Int]) {
            (airports, flights) = ([], [])
            var mismatches: [Int] = []
            for (index, record) in scenario.records.enumerated() where !isRejected[index] {
                let before = (airports, flights)
                switch take(record, scenario) {
                case .taken: continue
                case .mismatch: mismatches.append(index)
                case .rejected: isRejected[index] = true
                }
                (airports, flights) = before
            }
            for index in airports.indices {
                for (code, fills) in airports[index].hubs where !fills || airports[index].hub == nil {
                    airports[index].hub = find(code) == nil ? nil : code
                }
            }
            let late = scenario.records.indices.filter { index in
                guard !isRejected[index], !mismatches.contains(index), scenario.hub == "error" else { return false }
                return ["originHub", "targetHub"].contains { name in
                    if let hub = scenario.records[index][name], let hub { find(hub) == nil } else { false }
                }
            }
            return (late, mismatches)
        }

        private func text(_ value: Int?) -> String { value.map { "\($0)" } ?? "NULL" }

        var airportRows: [String] {
            airports.map { "\(text($0.code))|\(text($0.name))|\(text($0.sign))|\(text($0.hub))" }.sorted()
        }

        var flightRows: [String] {
            flights.map { flight in
                "\(flight.number)|" + flight.ends.map { text($0.flatMap { airports[$0].code }) }.joined(separator: "|")
            }.sorted()
        }
    }

    @Test(arguments: [1, 2, 3, 7, 1000])
    func objectsOfARecordMayBeTheSame(size: Int) throws {
        var objects = 0
        try Scenario.forEachCase(40, size: size, assembledTenths: 6) { random in
            let (scenario, context) = (random.scenario, random.context)
            random.options.fixedLimits.assembly.constraintPages = 1
            let plain = Plain(scenario)
            func report(_ writer: NewStoreWriter) throws -> ImportReport {
                let fixture = try ImportFixture(entities: scenario.entities)
                let (report, rejected) = try scenario.runNamingRejects(
                    writer, random.options, in: fixture, isJudged: random.isJudged)
                // SQLite does not always put back what other records said that name the objects of those that are taken
                // back.
                if !report.isAssembled, plain.hasLateRejections { return report }
                let context = "\(report.isAssembled) \(context)"
                try #require(rejected.sorted() == plain.rejected.sorted(), "\(context)")
                try fixture.requireRows(
                    "SELECT a.ZCODE, a.ZNAME, a.ZSIGN, h.ZCODE FROM ZAIRPORT a LEFT JOIN ZAIRPORT h ON h.Z_PK = a.ZHUB",
                    plain.airportRows, context)
                try fixture.requireRows(
                    "SELECT f.ZNUMBER, o.ZCODE, t.ZCODE FROM ZFLIGHT f LEFT JOIN ZAIRPORT o ON o.Z_PK = f.ZORIGIN "
                        + "LEFT JOIN ZAIRPORT t ON t.Z_PK = f.ZTARGET", plain.flightRows, context)
                for entity in report.entities {
                    let count = entity.entity == "Flight" ? plain.flights.count : plain.airports.count
                    #expect(entity.inserted == Int64(count), "\(entity.entity) \(context)")
                }
                return report
            }
            let (found, expected) = (try report(.auto), try report(.sqlite))
            if !plain.hasLateRejections {
                let related = [found, expected].map { $0.entities.filter { $0.related > 0 }.map(\.related) }
                #expect(related[0] == related[1], "\(context)")
                #expect(found.unresolvedLinks == expected.unresolvedLinks, "\(context)")
            }
            if found.isAssembled { objects += plain.airports.count }
            return found
        }
        #expect(TestSettings.isFast || objects > RandomNumbers.seeds(40).count)
    }

    @Test(arguments: [1, 2, 3, 7, 1000])
    func shardsMakeTheSameFile(size: Int) throws {
        try Scenario.expectShardsOfOneFile(size: size)
    }
}
