/// Reads a `SchemaMigrationPlan`: its versions in order, and the stages between them.
struct MigrationPlanReader {
    private let declarations: SwiftDeclarations
    private var stages: [SwiftDataMigrationPlan.Stage] = []
    private var problems: [SwiftDataProblem] = []
    /// The properties that have been read: each is read once, no matter how often lists refer to it.
    private var known: Set<SwiftPlace> = []

    static func plan(_ type: SwiftTypeDeclaration, of declarations: SwiftDeclarations) -> SwiftDataMigrationPlan {
        var reader = MigrationPlanReader(declarations: declarations)
        let members = declarations.staticMembers(of: type)
        func text(_ name: String) -> (text: String, member: SwiftDeclarations.Member)? {
            guard let member = members.first(where: { $0.property.name == name }) else { return nil }
            return (member.property.body ?? member.property.initialValue).map { ($0, member) }
        }
        let versions = text("schemas").map { reader.typeNames(in: $0.text, $0.member.scope) } ?? []
        if versions.isEmpty { reader.note("the plan \(type.qualifiedName) lists no versions", at: type.place) }
        if let list = text("stages") { reader.readStages(list.text, list.member) }
        return SwiftDataMigrationPlan(
            name: type.qualifiedName, versions: ordered(versions, by: reader.stages), stages: reader.stages,
            place: type.place, problems: reader.problems)
    }

    /// Returns versions with the oldest first: lists may begin with the newest one, but stages lead to newer versions.
    private static func ordered(_ versions: [String], by stages: [SwiftDataMigrationPlan.Stage]) -> [String] {
        var rest = versions
        let isForward = stages.contains { stage in
            guard let from = rest.firstIndex(of: stage.from), let to = rest.firstIndex(of: stage.to) else {
                return true
            }
            return from < to
        }
        if !isForward, !stages.isEmpty { rest.reverse() }
        var result: [String] = []
        while !rest.isEmpty {
            // If the stages are circular, the list decides.
            let next = rest.firstIndex { version in
                !stages.contains { $0.to == version && $0.from != version && rest.contains($0.from) }
            }
            result.append(rest.remove(at: next ?? 0))
        }
        return result
    }

    private init(declarations: SwiftDeclarations) {
        self.declarations = declarations
    }

    /// Reads the stages of a list, or the stage of a property that a list refers to; anything else is a problem, since
    /// it may be a custom stage.
    private mutating func readStages(_ text: String, _ member: SwiftDeclarations.Member) {
        guard known.insert(member.property.place).inserted else { return }
        var lexer = SwiftLexer(Array(text.utf8))
        var token = lexer.next()
        var locals: Set<String> = []
        while token.kind != .end {
            guard let names = Self.path(&token, &lexer) else {
                token = lexer.next()
                continue
            }
            if token.isPunctuation("("), let last = names.last, last == "lightweight" || last == "custom" {
                let arguments = Self.arguments(&token, &lexer)
                read(SwiftArguments(arguments), isCustom: last == "custom", member)
            } else if names == ["let"] || names == ["var"] {
                // A local variable with a stage, which is read at its assignment.
                locals.formUnion(Self.path(&token, &lexer) ?? [])
            } else if !["get", "return", "try", "MigrationStage"].contains(names[0]), !locals.contains(names[0]) {
                follow(names, member)
            }
        }
    }

    private mutating func follow(_ names: [String], _ member: SwiftDeclarations.Member) {
        if let found = declarations.staticMember(names, in: member.scope),
            let text = found.property.body ?? found.property.initialValue
        {
            readStages(text, found)
        } else {
            note(
                "which stage \(names.joined(separator: ".")) stands for is not known; if it is a custom one, its code "
                    + "is not warned of", at: member.property.place)
        }
    }

    /// Reads `.lightweight(fromVersion: A.self, toVersion: B.self)` and `.custom(...)`.
    private mutating func read(_ arguments: SwiftArguments, isCustom: Bool, _ member: SwiftDeclarations.Member) {
        func version(_ label: String) -> String? {
            arguments.value(label).flatMap { typeNames(in: $0, member.scope).first }
        }
        guard let from = version("fromVersion"), let to = version("toVersion") else {
            return note("the versions of a stage are not named by their types", at: member.property.place)
        }
        stages.append(.init(from: from, to: to, isCustom: isCustom))
    }

    private mutating func note(_ message: String, at place: SwiftPlace) {
        problems.append(SwiftDataProblem(message: message, place: place))
    }

    // MARK: Tokens

    /// Returns names joined by dots, from the current token on, which may be the dot of an implicit member; nil if
    /// there is none.
    private static func path(_ token: inout SwiftToken, _ lexer: inout SwiftLexer) -> [String]? {
        var names: [String] = []
        if token.isPunctuation(".") { token = lexer.next() }
        while token.kind == .identifier || token.kind == .escapedIdentifier {
            names.append(lexer.text(token.range))
            token = lexer.next()
            guard token.isPunctuation(".") else { break }
            token = lexer.next()
        }
        return names.isEmpty ? nil : names
    }

    /// Returns the text between parentheses, and advances to the token after the closing one.
    private static func arguments(_ token: inout SwiftToken, _ lexer: inout SwiftLexer) -> String {
        let start = token.range.upperBound
        var (end, depth) = (start, 0)
        while token.kind != .end {
            if token.kind == .open { depth += 1 }
            if token.kind == .close { depth -= 1 }
            end = token.range.lowerBound
            token = lexer.next()
            if depth == 0 { break }
        }
        // Trailing closures are arguments too; the first has no label.
        while token.isPunctuation("{") || isLabel(token, lexer) {
            if token.isPunctuation("{") {
                skipBraces(&token, &lexer)
            } else {
                token = lexer.next()
                token = lexer.next()
            }
        }
        return lexer.text(start..<max(start, end))
    }

    private static func isLabel(_ token: SwiftToken, _ lexer: SwiftLexer) -> Bool {
        guard token.kind == .identifier else { return false }
        var ahead = lexer
        return ahead.next().isPunctuation(":")
    }

    private static func skipBraces(_ token: inout SwiftToken, _ lexer: inout SwiftLexer) {
        var depth = 0
        repeat {
            if token.kind == .open { depth += 1 }
            if token.kind == .close { depth -= 1 }
            token = lexer.next()
        } while depth > 0 && token.kind != .end
    }

    /// Returns the types in a list, such as `[A.self, B.C.self]`.
    private func typeNames(in text: String, _ scope: SwiftDeclarations.Scope) -> [String] {
        var lexer = SwiftLexer(Array(text.utf8))
        var token = lexer.next()
        var result: [String] = []
        while token.kind != .end {
            guard let names = Self.path(&token, &lexer) else {
                token = lexer.next()
                continue
            }
            if names.count > 1, names.last == "self" { result.append(qualifiedName(names.dropLast(), scope)) }
        }
        return result
    }

    private func qualifiedName(_ names: [String], _ scope: SwiftDeclarations.Scope) -> String {
        if case .named(let path) = declarations.resolved(.named(names), in: scope).type,
            case .declared(let index)? = declarations.meaning(of: path, in: scope)
        {
            return declarations.types[index].qualifiedName
        }
        return names.joined(separator: ".")
    }
}
