import KeyedArchives
import PredicateExpressions
import TestSupport

/// Makes expressions about people, mostly of one type throughout; the same ones for the same seed.
struct SQLExpressionGenerator {
    private var random: RandomNumbers

    init(seed: UInt64) {
        random = RandomNumbers(seed: seed)
    }

    enum Kind: CaseIterable {
        case integer, real, string, date, boolean, uuid, url, decimal, object
    }

    private mutating func pick<Element>(_ elements: [Element], or fallback: Element) -> Element {
        elements.randomElement(using: &random) ?? fallback
    }

    private mutating func chance(_ number: Int) -> Bool { Int.random(in: 0..<number, using: &random) == 0 }

    /// An expression of any type.
    mutating func expression(depth: Int) -> FormatExpression {
        expression(
            pick(
                [.integer, .integer, .real, .real, .string, .string, .date, .date, .boolean, .uuid, .url, .decimal],
                or: .integer),
            depth)
    }

    // MARK: Expressions

    mutating func expression(_ kind: Kind, _ depth: Int, of row: Row = .person("")) -> FormatExpression {
        // Now and then another type, so that both sides must agree on what to do with it.
        if chance(60) { return expression(pick(Kind.allCases, or: .integer), depth - 1, of: row) }
        guard depth > 0 else { return chance(3) ? .constant(constant(kind)) : name(kind, row) }
        if chance(10) {
            return .conditional(
                predicate(depth: depth - 1, of: row), then: expression(kind, depth - 1, of: row),
                otherwise: expression(kind, depth - 1, of: row))
        }
        switch kind {
        case .integer: return integer(depth - 1, row)
        case .real: return real(depth - 1, row)
        case .string: return string(depth - 1, row)
        case .date: return date(depth - 1, row)
        case .decimal: return decimal(depth - 1, row)
        case .uuid where chance(3):
            return .function(
                "castObject:toType:",
                [.constant(.string(pick(People.identifiers, or: ""))), .constant(.string("NSUUID"))])
        case .url where chance(3):
            return .function(
                "castObject:toType:", [expression(.string, depth - 1, of: row), .constant(.string("NSURL"))])
        case .boolean where chance(3):
            return .conditional(
                predicate(depth: depth - 1, of: row), then: .constant(.boolean(true)),
                otherwise: .constant(.boolean(false)))
        case .boolean, .uuid, .url, .object: return chance(2) ? .constant(constant(kind)) : name(kind, row)
        }
    }

    /// Where names start: a person or a pet, behind a prefix that ends with a dot where it is not empty.
    enum Row {
        case person(String)
        case pet(String)
    }

    private mutating func name(_ kind: Kind, _ row: Row) -> FormatExpression {
        let names: [String]
        let prefix: String
        switch row {
        case .pet(let start):
            prefix = start
            names =
                switch kind {
                case .integer: ["legs", "owner.age"]
                case .real: ["weight", "owner.height"]
                case .string: ["name", "owner.name", "owner.boss.nick"]
                case .object: ["owner", "owner.boss"]
                case .date: ["born", "owner.born"]
                case .uuid: ["chip", "owner.identifier"]
                case .decimal: ["cost", "owner.price"]
                default: ["owner.\(Self.property(kind))"]
                }
        case .person(let start):
            prefix = start
            let property = Self.property(kind)
            names =
                switch kind {
                case .integer:
                    [
                        "age", "age", "points", "boss.age", "boss.boss.age", "pets.@count", "team.@sum.age",
                        "clubs.@count",
                    ]
                case .real:
                    [
                        "height", "boss.height", "pets.@avg.legs", "pets.@sum.weight", "team.pets.@max.weight",
                        "team.@sum.height", "clubs.members.@avg.height",
                    ]
                case .string:
                    ["name", "nick", "boss.name", "home.absoluteString", "pets.@min.name", "name.uppercaseString"]
                case .object: ["boss", "boss.boss"]
                case .date: ["born", "boss.born", "pets.@min.born", "team.@max.born"]
                case .uuid: ["identifier", "boss.identifier", "pets.@max.chip"]
                case .decimal:
                    [
                        "price", "boss.price", "pets.@sum.cost", "pets.@avg.cost", "team.pets.@sum.cost",
                        "pets.@max.cost",
                    ]
                default: [property, "boss.\(property)"]
                }
        }
        return Self.path(prefix + pick(names, or: "name"))
    }

    private static func property(_ kind: Kind) -> String {
        switch kind {
        case .integer: "age"
        case .real: "height"
        case .string: "name"
        case .date: "born"
        case .boolean: "isAdult"
        case .uuid: "identifier"
        case .url: "home"
        case .decimal: "price"
        case .object: "boss"
        }
    }

    private static func path(_ text: String) -> FormatExpression {
        guard text.hasPrefix("$") else { return .keyPath(text) }
        let parts = text.dropFirst().split(separator: ".", maxSplits: 1)
        return .keyPath(.variable(String(parts[0])), String(parts[1]))
    }

    private mutating func constant(_ kind: Kind) -> ConstantValue {
        if chance(8) { return .null }
        switch kind {
        case .integer: return .integer(pick([0, 1, -1, 2, 7, 30, 1 << 33, .max, .min], or: 0))
        case .real: return .real(pick([0, 0.5, -2.25, 3, 1e18, -0.1], or: 0))
        case .string: return .string(pick(People.texts, or: ""))
        case .date: return .date(pick([0, 3, 86_400, -1e9, 0.25], or: 0))
        case .boolean: return .boolean(Bool.random(using: &random))
        case .uuid: return .uuid(Array(repeating: UInt8.random(in: 0...2, using: &random), count: 16))
        case .url: return .url("file:///b")
        case .decimal: return .decimal(DecimalNumber(pick(["0.1", "2", "-7.25"], or: "2")) ?? .notANumber)
        case .object: return .null
        }
    }

    private mutating func integer(_ depth: Int, _ row: Row) -> FormatExpression {
        switch Int.random(in: 0..<10, using: &random) {
        case 0...3:
            return .function(
                pick(["add:to:", "from:subtract:", "multiply:by:", "divide:by:", "modulus:by:"], or: "add:to:"),
                [expression(.integer, depth, of: row), expression(chance(8) ? .boolean : .integer, depth, of: row)])
        case 4:
            return .function(
                pick(
                    ["bitwiseAnd:with:", "bitwiseOr:with:", "bitwiseXor:with:", "leftshift:by:", "rightshift:by:"],
                    or: ""),
                [expression(.integer, depth, of: row), expression(.integer, depth, of: row)])
        case 5:
            return .function(
                pick(["abs:", "onesComplement:", "ceiling:"], or: "abs:"), [expression(.integer, depth, of: row)])
        case 6: return .function("length:", [expression(.string, depth, of: row)])
        case 7: return .function("count:", [collection(.integer, depth, row)])
        case 8: return .function(pick(["sum:", "min:", "max:"], or: "sum:"), [collection(.integer, depth, row)])
        default:
            guard case .person(let prefix) = row else { return name(.integer, row) }
            return .keyPath("@count", on: subquery(depth, prefix))
        }
    }

    private mutating func real(_ depth: Int, _ row: Row) -> FormatExpression {
        switch Int.random(in: 0..<8, using: &random) {
        case 0...2:
            return .function(
                pick(["add:to:", "from:subtract:", "multiply:by:", "divide:by:", "modulus:by:"], or: "add:to:"),
                [expression(.real, depth, of: row), expression(chance(3) ? .integer : .real, depth, of: row)])
        case 3:
            return .function(
                pick(["sqrt:", "exp:", "ln:", "log:", "ceiling:", "floor:", "trunc:", "abs:"], or: "abs:"),
                [expression(.real, depth, of: row)])
        case 4:
            return .function(
                "raise:toPower:", [expression(.integer, depth, of: row), expression(.real, depth, of: row)])
        case 5:
            return .function(
                pick(["average:", "median:", "stddev:"], or: "average:"), [collection(.integer, depth, row)])
        case 6:
            return .function("from:subtract:", [expression(.date, depth, of: row), expression(.date, depth, of: row)])
        default:
            return .function("castObject:toType:", [expression(.date, depth, of: row), .constant(.string("NSNumber"))])
        }
    }

    private mutating func string(_ depth: Int, _ row: Row) -> FormatExpression {
        switch Int.random(in: 0..<4, using: &random) {
        case 0, 1:
            return .function("add:to:", [expression(.string, depth, of: row), expression(.string, depth, of: row)])
        case 2:
            return .function(
                pick(["uppercase:", "lowercase:", "canonical:", "noindex:"], or: ""),
                [expression(.string, depth, of: row)])
        default:
            return .function(
                "castObject:toType:",
                [
                    expression(pick([.integer, .real, .date, .uuid, .url, .boolean], or: .integer), depth, of: row),
                    .constant(.string("NSString")),
                ])
        }
    }

    private mutating func date(_ depth: Int, _ row: Row) -> FormatExpression {
        switch Int.random(in: 0..<4, using: &random) {
        case 0: return .function("now", [])
        case 1:
            return .function("from:subtract:", [expression(.date, depth, of: row), expression(.real, depth, of: row)])
        case 2: return .function("add:to:", [expression(.date, depth, of: row), expression(.integer, depth, of: row)])
        default:
            return .function(
                "castObject:toType:", [expression(.integer, depth, of: row), .constant(.string("NSDate"))])
        }
    }

    private mutating func decimal(_ depth: Int, _ row: Row) -> FormatExpression {
        switch Int.random(in: 0..<6, using: &random) {
        case 0, 1:
            return .function(
                pick(["add:to:", "from:subtract:", "multiply:by:", "divide:by:"], or: "add:to:"),
                [
                    expression(.decimal, depth, of: row),
                    expression(pick([.decimal, .integer, .real], or: .decimal), depth, of: row),
                ])
        case 2: return .function(pick(["sum:", "average:", "max:"], or: "sum:"), [collection(.decimal, depth, row)])
        case 3:
            return .function(
                "castObject:toType:", [expression(.integer, depth, of: row), .constant(.string("NSDecimalNumber"))])
        case 4:
            return .function(
                pick(["abs:", "floor:", "ceiling:", "trunc:"], or: "abs:"), [expression(.decimal, depth, of: row)])
        default: return name(.decimal, row)
        }
    }

    private mutating func collection(_ kind: Kind, _ depth: Int, _ row: Row) -> FormatExpression {
        if chance(2) {
            return .aggregate((0..<Int.random(in: 0..<4, using: &random)).map { _ in expression(kind, depth, of: row) })
        }
        guard case .person(let prefix) = row else {
            guard case .pet(let start) = row else { return .constant(.null) }
            return Self.path("\(start)owner.\(Self.collections(kind).first ?? "pets.legs")")
        }
        return Self.path(prefix + pick(Self.collections(kind), or: "pets.legs"))
    }

    private static func collections(_ kind: Kind) -> [String] {
        switch kind {
        case .string:
            ["pets.name", "team.nick", "clubs.name", "team.pets.name", "boss.team.@distinctUnionOfObjects.nick"]
        case .date: ["pets.born", "team.born", "clubs.members.born"]
        case .uuid: ["pets.chip", "team.identifier"]
        case .decimal: ["pets.cost", "team.price", "team.pets.cost", "pets.@distinctUnionOfObjects.cost"]
        case .real: ["pets.weight", "team.height"]
        default:
            [
                "pets.legs", "team.age", "clubs.fee", "clubs.members.age", "team.boss.age",
                "pets.@distinctUnionOfObjects.legs",
            ]
        }
    }

    private mutating func subquery(_ depth: Int, _ prefix: String) -> FormatExpression {
        .subquery(
            collection: Self.path(prefix + pick(["pets", "boss.pets", "team.pets"], or: "pets")), variable: "x",
            predicate: chance(4) ? nested(depth) : predicate(depth: depth, of: .pet("$x.")))
    }

    /// A search within a search, whose condition looks at both elements.
    private mutating func nested(_ depth: Int) -> FormatPredicate {
        let operators: [ComparisonOperator] = [.equal, .lessThan, .greaterThanOrEqual, .notEqual]
        let own = pick(["$y.weight", "$y.legs", "$y.owner.age"], or: "")
        let inner = FormatPredicate.comparison(
            Self.path(own), pick(operators, or: .equal), Self.path(pick(["$x.weight", "$x.legs"], or: "")))
        let search = FormatExpression.subquery(
            collection: Self.path("$x.owner." + pick(["pets", "team.pets"], or: "")), variable: "y",
            predicate: chance(2) ? inner : .and([inner, predicate(depth: depth - 1, of: .pet("$y."))]))
        return .comparison(
            .keyPath("@count", on: search), pick(operators, or: .equal), .constant(.integer(pick([0, 1, 2], or: 1))))
    }

    // MARK: Predicates

    mutating func predicate(depth: Int, of row: Row = .person("")) -> FormatPredicate {
        switch Int.random(in: 0..<(depth > 0 ? 12 : 5), using: &random) {
        case 5: return .not(predicate(depth: depth - 1, of: row))
        case 6: return .and([predicate(depth: depth - 1, of: row), predicate(depth: depth - 1, of: row)])
        case 7: return .or([predicate(depth: depth - 1, of: row), predicate(depth: depth - 1, of: row)])
        case 8, 9: return quantified(depth - 1, row)
        case 10: return membership(depth - 1, row)
        case 11: return texts(depth - 1, row)
        case 0: return texts(0, row)
        default:
            let kind = pick(Kind.allCases, or: .integer)
            let operators: [ComparisonOperator] = [
                .equal, .notEqual, .lessThan, .lessThanOrEqual, .greaterThan, .greaterThanOrEqual,
            ]
            if chance(8) {
                return .comparison(
                    expression(kind, depth - 1, of: row), .between,
                    .aggregate([expression(kind, depth - 1, of: row), expression(kind, depth - 1, of: row)]))
            }
            let right: FormatExpression =
                chance(10)
                ? .variable(pick(["nothing", "seven"], or: "nothing")) : expression(other(kind), depth - 1, of: row)
            return .comparison(
                expression(kind, depth - 1, of: row),
                kind == .object ? pick([.equal, .notEqual], or: .equal) : pick(operators, or: .equal), right,
                kind == .string ? options() : [])
        }
    }

    /// A type that compares with the given one.
    private mutating func other(_ kind: Kind) -> Kind {
        switch kind {
        case .integer, .real, .boolean, .decimal: pick([.integer, .real, .boolean, .decimal, kind], or: kind)
        case .url: pick([.string, .url], or: .url)
        default: kind
        }
    }

    private mutating func options() -> ComparisonOptions {
        pick(
            [[], [], .caseInsensitive, .diacriticInsensitive, [.caseInsensitive, .diacriticInsensitive], .normalized],
            or: [])
    }

    private mutating func texts(_ depth: Int, _ row: Row) -> FormatPredicate {
        let comparisonOperator = pick(
            [.like, .matches, .beginsWith, .endsWith, .contains, .memberOf] as [ComparisonOperator], or: .like)
        let left = expression(.string, depth, of: row)
        let right: FormatExpression =
            switch comparisonOperator {
            case .like:
                .constant(
                    .string(
                        pick(["a*", "?", "*e", "b\\*b", "*", "Ä*", "日?語", "", "е*", "*ς", "か*", "한", "*лка"], or: "*")))
            case .matches: .constant(.string(pick(["a.*", "[A-Z]\\w+", ".*ß.*", "(a|b)*", "\\p{L}+", ""], or: ".")))
            default: expression(.string, depth, of: row)
            }
        return .comparison(left, comparisonOperator, right, options())
    }

    private mutating func quantified(_ depth: Int, _ row: Row) -> FormatPredicate {
        let kind = pick([.integer, .string, .date, .uuid, .decimal, .real] as [Kind], or: .integer)
        let operators: [ComparisonOperator] =
            kind == .uuid ? [.equal, .notEqual] : [.equal, .notEqual, .lessThan, .greaterThanOrEqual]
        return .comparison(
            ComparisonPredicate(
                collection(kind, depth, row), pick(operators, or: .equal), expression(kind, depth, of: row),
                modifier: pick([.any, .all], or: .any), options: kind == .string ? options() : []))
    }

    private mutating func membership(_ depth: Int, _ row: Row) -> FormatPredicate {
        let kind = pick([.integer, .string, .date, .uuid, .decimal] as [Kind], or: .integer)
        let options = kind == .string ? options() : []
        return chance(2)
            ? .comparison(expression(kind, depth, of: row), .memberOf, collection(kind, depth, row), options)
            : .comparison(collection(kind, depth, row), .contains, expression(kind, depth, of: row), options)
    }
}
