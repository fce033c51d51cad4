import KeyedArchives
import PredicateExpressions
import SQLiteAccess
import TestSupport

/// Random people in a database, and the same ones as an evaluation context.
struct People: NameResolver, EvaluationContext {
    let now = 500.25
    let seven = Int64(7)
    let connection: Connection
    /// `SELF`
    var current = ObjectReference(entity: Int32(PeopleSchema.person), key: 1)
    private var values: [ObjectReference: [String: ExpressionValue]] = [:]
    private var names: [String] = []

    static let count: Int64 = 12

    init(seed: UInt64) throws {
        connection = try Connection(path: ":memory:", access: .create)
        try connection.registerExpressionFunctions()
        try connection.execute(PeopleSchema.statements)
        var random = RandomNumbers(seed: seed)
        for key in 1...Self.count {
            try add(Self.person(&random), entity: PeopleSchema.person, key, "ZPERSON")
            try add(Self.pet(&random), entity: PeopleSchema.pet, key, "ZPET")
        }
        for key in 1...Int64(4) {
            try add(Self.club(&random), entity: PeopleSchema.club, key, "ZCLUB")
            for person in 1...Self.count where Int.random(in: 0..<3, using: &random) == 0 {
                try connection.execute("INSERT INTO Z_1CLUBS VALUES (\(person), \(key))")
                link(person, PeopleSchema.person, "clubs", key, PeopleSchema.club)
                link(key, PeopleSchema.club, "members", person, PeopleSchema.person)
            }
        }
        for key in 1...Self.count {
            connect("boss", of: key, PeopleSchema.person, to: PeopleSchema.person, "team")
            connect("owner", of: key, PeopleSchema.pet, to: PeopleSchema.person, "pets")
        }
    }

    // MARK: Making

    private static func pick<Value>(_ values: [Value], _ random: inout RandomNumbers, or value: Value) -> Value {
        values.randomElement(using: &random) ?? value
    }

    static let texts = [
        "", "Ann", "ann", "Ännchen", "a\u{308}", "Bob", "Zoë", "straße", "STRASSE", "b*b", "日本語", "x y", "İ", "ﬁn", "0",
        // Cyrillic, Greek with a final sigma, Turkish, Vietnamese, kana with marks, Hangul in both forms, Arabic,
        // Hebrew.
        "Ёлка", "елка", "Οδυσσεύς", "ΟΔΥΣΣΕΥΣ", "ılık", "ILIK", "Việt", "がく", "か\u{3099}く", "ｶﾞｸ", "한",
        "\u{1112}\u{1161}\u{11AB}",
        "مُحَمَّد", "محمد", "שָׁלוֹם", "שלום", "हिन्दी", "Ｆull", "ǆ", "ǅ", "👩‍👩‍👧", "ſ", "K", "Å",
    ]

    static let identifiers = [
        "00000000-0000-0000-0000-000000000000", "01010101-0101-0101-0101-010101010101",
        "E621E1F8-C36C-495A-93FC-0C247A3E6E5F",
    ]

    private static func text(_ random: inout RandomNumbers) -> ExpressionValue {
        Bool.random(using: &random) || Bool.random(using: &random)
            ? .string(pick(texts, &random, or: "")) : .null
    }

    private static func or(_ value: ExpressionValue, _ random: inout RandomNumbers) -> ExpressionValue {
        Int.random(in: 0..<5, using: &random) == 0 ? .null : value
    }

    private static func reference(_ random: inout RandomNumbers) -> ExpressionValue {
        or(
            .object(
                ObjectReference(entity: Int32(PeopleSchema.person), key: Int64.random(in: 1...count, using: &random))),
            &random)
    }

    private static func person(_ random: inout RandomNumbers) -> [String: ExpressionValue] {
        let real = Double(Int.random(in: -40...400, using: &random)) / 4
        return [
            "name": .string(pick(texts, &random, or: "")), "nick": text(&random),
            "age": or(.integer(Int64.random(in: -3...60, using: &random)), &random),
            "points": or(.integer(pick([0, 1, -1, 7, 1 << 40, .max, .min, .max - 1], &random, or: 0)), &random),
            "height": or(.real(pick([real, real, 0, 1e300, -0.1], &random, or: 0)), &random),
            "isAdult": or(.boolean(Bool.random(using: &random)), &random),
            "born": or(.date(pick([real, 3, 86_400, -1e9], &random, or: 0)), &random),
            "price": or(
                .decimal(DecimalNumber(pick(["0.1", "2", "-7.25", "1000"], &random, or: "0")) ?? .notANumber), &random),
            "identifier": or(.uuid(Array(repeating: UInt8.random(in: 0...2, using: &random), count: 16)), &random),
            "home": or(.url(pick(["https://example.org/a", "file:///b"], &random, or: "")), &random),
            "boss": reference(&random),
        ]
    }

    private static func pet(_ random: inout RandomNumbers) -> [String: ExpressionValue] {
        [
            "name": text(&random), "weight": or(.real(Double(Int.random(in: 0...40, using: &random)) / 8), &random),
            "legs": or(.integer(Int64.random(in: 0...4, using: &random)), &random), "owner": reference(&random),
            "born": or(.date(pick([0.5, 3, 86_400, -1e9], &random, or: 0)), &random),
            "chip": or(.uuid(Array(repeating: UInt8.random(in: 0...2, using: &random), count: 16)), &random),
            "cost": or(
                .decimal(DecimalNumber(pick(["0.1", "0.2", "-7.25", "3", "0.3"], &random, or: "0")) ?? .notANumber),
                &random),
        ]
    }

    private static func club(_ random: inout RandomNumbers) -> [String: ExpressionValue] {
        ["name": text(&random), "fee": or(.integer(pick([1, 2, .max], &random, or: 0)), &random)]
    }

    private mutating func add(
        _ record: [String: ExpressionValue], entity: Int, _ key: Int64, _ table: String
    ) throws {
        values[ObjectReference(entity: Int32(entity), key: key)] = record
        let names = record.keys.sorted()
        let columns = names.map { ", Z" + $0.uppercased() }.joined()
        let marks = names.map { _ in ", ?" }.joined()
        let statement = try connection.prepare("INSERT INTO \(table) (Z_PK\(columns)) VALUES (\(key)\(marks))")
        for (number, name) in names.enumerated() {
            try statement.bind(Self.stored(record[name] ?? .null), at: Int32(number + 1))
        }
        try statement.run()
    }

    static func stored(_ value: ExpressionValue) -> SQLiteValue {
        switch value {
        case .boolean(let value): .integer(value ? 1 : 0)
        case .integer(let value): .integer(value)
        case .real(let value), .date(let value): .real(value)
        // As Core Data has it: an integer where it is one, else the nearest real.
        case .decimal(let value): Int64(value.description).map { .integer($0) } ?? .real(Double(value.description) ?? 0)
        case .string(let text), .url(let text): .string(text)
        case .uuid(let bytes), .data(let bytes): .blob(bytes)
        case .object(let object): .integer(object.key)
        default: .null
        }
    }

    /// What a column, or a part of an expression that SQL has computed, means.
    static func value(_ stored: SQLiteValue, _ kind: SQLValueKind) -> ExpressionValue {
        func decimal(_ text: String) -> ExpressionValue { .decimal(DecimalNumber(text) ?? .notANumber) }
        return switch (stored, kind) {
        case (.null, _): .null
        case (.integer(let number), .boolean): .boolean(number != 0)
        case (.integer(let number), .date): .date(Double(number))
        case (.real(let number), .date): .date(number)
        case (.integer(let number), .decimal): decimal("\(number)")
        case (.real(let number), .decimal): decimal("\(number)")
        case (.text(let bytes), .decimal): decimal(String(decoding: bytes, as: UTF8.self))
        case (.integer(let number), _): .integer(number)
        case (.real(let number), _): .real(number)
        case (.text(let bytes), .url): .url(String(decoding: bytes, as: UTF8.self))
        case (.text(let bytes), _): .string(String(decoding: bytes, as: UTF8.self))
        case (.blob(let bytes), .uuid): .uuid(bytes)
        case (.blob(let bytes), _): .data(bytes)
        }
    }

    private mutating func link(_ key: Int64, _ entity: Int, _ name: String, _ other: Int64, _ otherEntity: Int) {
        let owner = ObjectReference(entity: Int32(entity), key: key)
        let elements = values[owner]?[name]?.elements ?? []
        values[owner]?[name] = .set(elements + [.object(ObjectReference(entity: Int32(otherEntity), key: other))])
    }

    private mutating func connect(_ name: String, of key: Int64, _ entity: Int, to other: Int, _ inverse: String) {
        let own = ObjectReference(entity: Int32(entity), key: key)
        if case .object(let target)? = values[own]?[name] { link(target.key, other, inverse, key, entity) }
    }

    // MARK: Evaluating

    mutating func slot(of path: ArraySlice<String>, from start: NameStart) -> ResolvedName? {
        switch start {
        case .evaluatedObject, .object, .variable("source"):
            let name = path.first ?? ""
            guard name.isEmpty || (0...2).contains(where: { PeopleSchema().property(name, of: $0) != nil }) else {
                return nil
            }
            names.append(name)
        case .variable("seven"): names.append("$seven")
        case .variable("nothing"): names.append("$nothing")
        case .variable: return nil
        }
        return ResolvedName(slot: names.count - 1, keyCount: min(path.count, 1))
    }

    func value(at slot: Int) -> ExpressionValue {
        switch names[slot] {
        case "": .object(current)
        case "$seven": .integer(seven)
        case "$nothing": .null
        default: value(at: slot, of: current)
        }
    }

    func value(at slot: Int, of object: ObjectReference) -> ExpressionValue {
        let name = names[slot]
        if let value = values[object]?[name] { return value }
        let property = PeopleSchema().property(name, of: Int(object.entity))
        switch property {
        case .toMany?, .manyToMany?: return .set([])
        default: return .null
        }
    }
}
