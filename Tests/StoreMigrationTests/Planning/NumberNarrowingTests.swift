import GeneratedStores
import ManagedObjectModels
import PersistentStores
import SQLiteAccess
import StoreMigration
import Testing

/// Numbers of one type become numbers of another: all pairs of types, compared with Swift's own conversions.
@Suite struct NumberNarrowingTests {
    private static let types: [AttributeType] = [.boolean, .integer16, .integer32, .integer64, .float, .double]

    /// Numbers that a store of a type may hold; at the limits of the others, and none that is halfway between two.
    private static func numbers(_ type: AttributeType) -> [SQLiteValue] {
        let shorts: [Int64] = [0, 1, 2, -1, -32768, 32767]
        let ints = shorts + [40_000, -40_000, 2_147_483_647, -2_147_483_648, 16_777_216, 33_554_435]
        let longs = ints + [2_147_483_648, 9_007_199_254_740_993, .max, .min]
        let floats: [Double] = [
            0, 1, 0.5, -0.25, 3, 32768, 16_777_216, Double(Float.greatestFiniteMagnitude), .infinity, -2_147_483_648,
            9.223372036854775808e18, Double(Float.leastNormalMagnitude),
        ]
        let doubles = floats + [0.1, 2.6, -3.7, 32767.4, 1e300, -1e300, 1e-40, 33_554_435, -9.3e18]
        switch type {
        case .boolean: return [.integer(0), .integer(1), .null]
        case .integer16: return shorts.map { .integer($0) } + [.null]
        case .integer32: return ints.map { .integer($0) } + [.null]
        case .integer64: return longs.map { .integer($0) } + [.null]
        case .float: return floats.map { .real($0) } + [.null]
        default: return doubles.map { .real($0) } + [.null]
        }
    }

    /// What Swift makes of a number: whether the type has it, and the nearest one that it has.
    private static func expected(_ value: SQLiteValue, as type: AttributeType) -> (fits: Bool, nearest: SQLiteValue) {
        func whole<Number: FixedWidthInteger & SendableMetatype>(_: Number.Type) -> (Bool, SQLiteValue) {
            switch value {
            case .integer(let number): (Number(exactly: number) != nil, .integer(Int64(Number(clamping: number))))
            case .real(let number):
                (
                    Number(exactly: number) != nil,
                    .integer(
                        Number(exactly: number.rounded()).map(Int64.init)
                            ?? (number < 0 ? Int64(Number.min) : Int64(Number.max)))
                )
            default: (true, .null)
            }
        }
        switch (type, value) {
        case (_, .null): return (true, .null)
        case (.boolean, .integer(let number)): return ([0, 1].contains(number), .integer(number == 0 ? 0 : 1))
        case (.boolean, .real(let number)): return ([0, 1].contains(number), .integer(number == 0 ? 0 : 1))
        case (.integer16, _): return whole(Int16.self)
        case (.integer32, _): return whole(Int32.self)
        case (.integer64, _): return whole(Int64.self)
        case (.double, .integer(let number)): return (Double(exactly: number) != nil, .real(Double(number)))
        case (.double, _): return (true, value)
        case (_, .integer(let number)): return (Float(exactly: number) != nil, .real(Double(Float(number))))
        case (_, .real(let number)):
            let most = Double(Float.greatestFiniteMagnitude)
            if number.isInfinite { return (true, value) }
            if abs(number) > most { return (false, .real(number < 0 ? -most : most)) }
            if number != 0, abs(number) < Double(Float.leastNormalMagnitude) { return (false, .real(0)) }
            return (Double(Float(number)) == number, .real(Double(Float(number))))
        default: return (true, .null)
        }
    }

    /// A store whose one entity has an attribute for each other type, all of the same type.
    private func store(_ type: AttributeType, _ values: (AttributeType) -> [SQLiteValue]) throws -> TestStore {
        let others = Self.types.filter { $0 != type }
        func entities(_ kind: (AttributeType) -> AttributeType) -> [EntityDescription] {
            others.map { entity("To\($0.name.filter { $0 != " " })", [attribute("number", kind($0))]) }
        }
        let rows = others.flatMap { other in
            values(other).enumerated().map { index, value in
                "INSERT INTO \(Self.table(other)) (Z_PK, Z_ENT, Z_OPT, ZNUMBER) VALUES (\(index + 1), "
                    + "(SELECT count(*) FROM (VALUES \(others.map { "('\($0.name)')" }.joined(separator: ", "))) "
                    + "WHERE column1 <= '\(other.name)'), 1, \(value.literal));"
            }
        }
        return try TestStore(
            from: entities { _ in type }, to: entities { $0 }, rows: rows.joined(separator: "\n"))
    }

    private static func table(_ type: AttributeType) -> String { "ZTO" + type.name.uppercased().filter { $0 != " " } }

    private func plan(_ store: TestStore, _ narrowing: NumberNarrowing, inPlace: Bool = false) throws -> MigrationPlan {
        var options = MigrationPlanner.Options(placement: inPlace ? .inPlace(backup: nil) : .replace(backup: nil))
        options.narrowing = narrowing
        return try MigrationPlanner(
            store: SQLiteStore(path: store.path), from: store.source, to: store.destination, options: options
        ).plan()
    }

    private func check(
        _ store: TestStore, _ plan: MigrationPlan, _ type: AttributeType,
        _ expected: (AttributeType) -> [SQLiteValue]
    ) throws {
        let fingerprint = StoreFingerprint(of: StoreFiles(followingLinks: store.path), isSettled: true)
        _ = try MigrationManager().execute(plan, unchangedSince: fingerprint)
        let connection = try Connection(path: store.path, access: .readOnly)
        for other in Self.types where other != type {
            let found = try connection.rows("SELECT ZNUMBER FROM \(Self.table(other)) ORDER BY Z_PK").map { $0[0] }
            #expect(found == expected(other), "\(type.name) to \(other.name)")
        }
    }

    @Test(arguments: types, [true, false])
    func theNearestNumberOfTheTypeStaysWhereThatIsAskedFor(_ type: AttributeType, inPlace: Bool) throws {
        let numbers = Self.numbers(type)
        let store = try store(type) { _ in numbers }
        let plan = try plan(store, .round, inPlace: inPlace)
        #expect(plan.findings.allSatisfy { $0.code == "number-narrowed" && $0.severity == .warning })
        try check(store, plan, type) { other in numbers.map { Self.expected($0, as: other).nearest } }
    }

    @Test(arguments: types, [true, false])
    func whatTheTypeDoesNotHaveBecomesNullWhereThatIsAskedFor(_ type: AttributeType, inPlace: Bool) throws {
        let numbers = Self.numbers(type)
        let store = try store(type) { _ in numbers }
        try check(store, plan(store, .null, inPlace: inPlace), type) { other in
            numbers.map {
                let (fits, nearest) = Self.expected($0, as: other)
                return fits ? nearest : .null
            }
        }
    }

    @Test(arguments: types)
    func whatTheTypeDoesNotHaveIsRefusedAndEverythingElseGoesOver(_ type: AttributeType) throws {
        let numbers = Self.numbers(type)
        let store = try store(type) { _ in numbers }
        let plan = try plan(store, .refuse)
        for other in Self.types where other != type {
            let subject = "To\(other.name.filter { $0 != " " }).number"
            let finding = plan.findings.first { $0.subject == subject }
            let misfits = numbers.filter { !Self.expected($0, as: other).fits }
            #expect(finding?.count ?? 0 == misfits.count, "\(type.name) to \(other.name)")
            #expect(misfits.isEmpty || finding?.severity == .error && finding?.code == "number-narrowed")
            #expect(finding?.examples.count ?? 0 == min(3, misfits.count))
        }
        func fitting(_ other: AttributeType) -> [SQLiteValue] {
            numbers.filter { Self.expected($0, as: other).fits }
        }
        for inPlace in [true, false] {
            let rest = try self.store(type, fitting)
            let plan = try self.plan(rest, .refuse, inPlace: inPlace)
            #expect(!plan.isRefused)
            try check(rest, plan, type) { other in fitting(other).map { Self.expected($0, as: other).nearest } }
        }
    }

    /// The nearest number of the type may still be one that the new model forbids.
    @Test(arguments: [InvalidObjectPolicy.refuse, .report], [true, false])
    func aRoundedNumberThatTheModelForbidsIsAFinding(invalid: InvalidObjectPolicy, inPlace: Bool) throws {
        var new = AttributeDescription(name: "n", type: .integer16)
        new.validation.maximum = .integer(100)
        let store = try TestStore(
            from: [entity("N", [attribute("n", .integer32)])], to: [EntityDescription(name: "N", attributes: [new])],
            rows: "INSERT INTO ZN (Z_PK, Z_ENT, Z_OPT, ZN) VALUES (1, 1, 1, 40000), (2, 1, 1, 500), (3, 1, 1, 7);")
        var options = MigrationPlanner.Options(placement: inPlace ? .inPlace(backup: nil) : .replace(backup: nil))
        options.narrowing = .round
        options.invalidObjects = invalid
        let plan = try MigrationPlanner(
            store: SQLiteStore(path: store.path), from: store.source, to: store.destination, options: options
        ).plan()
        let finding = try #require(plan.findings.first { $0.code == "invalid-object" })
        #expect(finding.count == 1 && finding.cocoaCode == 1610 && finding.subject == "N.n")
        #expect(finding.examples.map { $0.hasSuffix("/N/p1") } == [true] && finding.values == ["32767"])
        #expect(plan.isRefused == (invalid == .refuse))
        guard !plan.isRefused else { return }
        let fingerprint = StoreFingerprint(of: StoreFiles(followingLinks: store.path), isSettled: true)
        _ = try MigrationManager().execute(plan, unchangedSince: fingerprint)
        #expect(try store.rows("SELECT ZN FROM ZN ORDER BY Z_PK") == ["32767", "500", "7"])
    }

    @Test func anAttributeThatNeedsAValueGetsItsDefaultOrRefuses() throws {
        for (value, isRefused) in [(AttributeValue.integer(7) as AttributeValue?, false), (nil, true)] {
            let new = AttributeDescription(name: "n", type: .integer16, isOptional: false, defaultValue: value)
            let store = try TestStore(
                from: [entity("N", [attribute("n", .integer32, optional: false)])],
                to: [EntityDescription(name: "N", attributes: [new])],
                rows: "INSERT INTO ZN (Z_PK, Z_ENT, Z_OPT, ZN) VALUES (1, 1, 1, 40000), (2, 1, 1, 5);")
            let plan = try plan(store, .null)
            #expect(plan.isRefused == isRefused)
            guard !isRefused else { continue }
            let fingerprint = StoreFingerprint(of: StoreFiles(followingLinks: store.path), isSettled: true)
            _ = try MigrationManager().execute(plan, unchangedSince: fingerprint)
            #expect(try store.rows("SELECT ZN FROM ZN ORDER BY Z_PK") == ["7", "5"])
        }
    }
}
