/// Reads the classes in a list, such as `[Item.self, SchemaV1.Note.self]`.
struct ModelListReader {
    let declarations: SwiftDeclarations
    private(set) var models: [Int] = []
    private(set) var problems: [SwiftDataProblem] = []
    private var open: Set<SwiftPlace> = []
    /// Names in the list, or in lists that it refers to, that are unknown.
    private var unknown: [(name: String, place: SwiftPlace)] = []

    init(_ declarations: SwiftDeclarations) {
        self.declarations = declarations
    }

    /// The maximum depth of lists that refer to other lists; a deeper chain is circular.
    static let maximumDepth = 16

    mutating func read(_ text: String, in scope: SwiftDeclarations.Scope, at place: SwiftPlace) {
        read(text, in: scope, at: place, depth: 0)
        guard let first = unknown.first else { return }
        let isCode = Set(unknown.map(\.name)).count > 1
        note(
            isCode
                ? "the list is made by code, which is not run; list the types themselves"
                : "what \(first.name) stands for is not known; list the types themselves", at: first.place)
        unknown = []
    }

    private mutating func read(
        _ text: String, in scope: SwiftDeclarations.Scope, at place: SwiftPlace, depth: Int
    ) {
        var lexer = SwiftLexer(Array(text.utf8))
        var token = lexer.next()
        while token.kind != .end {
            guard token.kind == .identifier || token.kind == .escapedIdentifier else {
                if token.kind == .macro { note("the list depends on \(lexer.text(token.range))", at: place) }
                if token.kind == .string || token.kind == .number {
                    note("the list has something other than types", at: place)
                }
                token = lexer.next()
                continue
            }
            var names = [lexer.text(token.range)]
            token = lexer.next()
            if token.isPunctuation(":") {
                token = lexer.next()
                continue
            }
            while token.isPunctuation(".") {
                token = lexer.next()
                guard token.kind == .identifier || token.kind == .escapedIdentifier else { break }
                names.append(lexer.text(token.range))
                token = lexer.next()
            }
            switch names[0] {
            case "get", "return": continue
            case "as":
                // `as [any PersistentModel.Type]`
                Self.skip(&token, &lexer, from: "[", to: "]")
                continue
            default: break
            }
            if token.isPunctuation("<"), !token.followsSpace {
                note("\(names.joined(separator: ".")) is generic, which an @Model class cannot be", at: place)
                Self.skip(&token, &lexer, from: "<", to: ">")
                // `.self` after the types.
                while token.isPunctuation(".") || token.kind == .identifier { token = lexer.next() }
            } else if names.count > 1, names.last == "self" {
                add(Array(names.dropLast()), in: scope, at: place)
            } else {
                addList(names, in: scope, at: place, depth: depth)
            }
        }
    }

    /// Skips to after the bracket that closes the current one, or skips one other token.
    private static func skip(
        _ token: inout SwiftToken, _ lexer: inout SwiftLexer, from open: Unicode.Scalar, to close: Unicode.Scalar
    ) {
        var depth = 0
        repeat {
            if token.isPunctuation(open) { depth += 1 }
            if token.isPunctuation(close) { depth -= 1 }
            token = lexer.next()
        } while depth > 0 && token.kind != .end
    }

    mutating func add(_ names: [String], in scope: SwiftDeclarations.Scope, at place: SwiftPlace) {
        let name = names.joined(separator: ".")
        let (type, resolvedScope) = declarations.resolved(.named(names), in: scope)
        guard case .named(let path) = type else { return note("\(name) is not a class", at: place) }
        switch declarations.meaning(of: path, in: resolvedScope) {
        case .declared(let index)?:
            guard declarations.types[index].isModel else { return note("\(name) is not an @Model class", at: place) }
            if !models.contains(index) { models.append(index) }
        case .ambiguous(let places)?:
            note("\(name) is declared \(declarations.text(of: places))", at: place)
        case .alias?, nil:
            note("\(name) is not declared in these sources; add the ones that declare it", at: place)
        }
    }

    /// Adds the list in a static property of a type, or in a global one: `SchemaV1.models`.
    private mutating func addList(
        _ names: [String], in scope: SwiftDeclarations.Scope, at place: SwiftPlace, depth: Int
    ) {
        let name = names.joined(separator: ".")
        guard depth < Self.maximumDepth, let found = declarations.staticMember(names, in: scope),
            let text = found.property.body ?? found.property.initialValue,
            open.insert(found.property.place).inserted
        else { return unknown.append((name, place)) }
        read(text, in: found.scope, at: found.property.place, depth: depth + 1)
        open.remove(found.property.place)
    }

    private mutating func note(_ message: String, at place: SwiftPlace) {
        problems.append(SwiftDataProblem(message: message, place: place))
    }
}
