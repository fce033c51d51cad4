/// Declarations that begin with a keyword.
extension SwiftDeclarationScanner {
    private static let modifierWords: Set<String> = [
        "public", "private", "internal", "fileprivate", "open", "package", "final", "static", "lazy", "weak", "unowned",
        "nonisolated", "override", "required", "mutating", "nonmutating", "indirect", "dynamic", "optional",
        "convenience", "prefix", "postfix", "infix", "consuming", "borrowing", "isolated", "distributed", "async",
    ]

    mutating func scanWord() {
        let word = text
        switch word {
        case "class":
            // `class func` and `class var` declare members of the type.
            let start = token
            advance()
            let next = token.kind == .identifier ? text : ""
            if ["func", "var", "let", "subscript"].contains(next) || Self.modifierWords.contains(next) {
                modifiers.insert("class")
            } else {
                scanType(.class, start)
            }
        case "struct", "enum", "extension", "protocol", "actor":
            let start = token
            advance()
            // `actor` may also be an ordinary name.
            guard token.kind == .identifier || token.kind == .escapedIdentifier, !token.isFirstOfLine,
                let kind = SwiftTypeDeclaration.Kind(rawValue: word)
            else { return forgetPrefix() }
            scanType(kind, start)
        case "func", "init", "deinit", "subscript", "operator", "precedencegroup", "macro", "associatedtype":
            scanFunction(word)
        case "typealias": scanAlias()
        case "case": scanCases()
        case "var", "let": scanProperties()
        case "import":
            advance()
            while token.kind != .end, !token.isFirstOfLine, !token.isPunctuation(";") { advance() }
            forgetPrefix()
        case _ where Self.modifierWords.contains(word):
            advance()
            let isPlain = !token.isPunctuation("(") || token.isFirstOfLine
            if isPlain {
                modifiers.insert(word)
            } else {
                // `private(set)` does not affect the property itself; `unowned(unsafe)` does.
                if scanArguments() != "set" { modifiers.insert(word) }
            }
        default:
            advance()
            forgetPrefix()
        }
    }

    /// Scans the head of a type, from its name to its opening brace.
    private mutating func scanType(_ kind: SwiftTypeDeclaration.Kind, _ start: SwiftToken) {
        var names = path
        var extended: [String] = []
        while token.kind == .identifier || token.kind == .escapedIdentifier {
            extended.append(text)
            advance()
            guard token.isPunctuation(".") else { break }
            advance()
        }
        names += extended
        let isGeneric = token.isPunctuation("<")
        if isGeneric { skipAngles() }
        var inherited: [String] = []
        if token.isPunctuation(":") {
            advance()
            inherited = scanInherited()
        }
        // Requirements of generic parameters.
        while token.kind != .end, !token.isPunctuation("{"), token.kind != .close, !token.isPunctuation(";") {
            if token.kind == .open { skipBalanced() } else { advance() }
        }
        guard token.isPunctuation("{") else { return forgetPrefix() }
        let condition = condition
        // A type without a name, as in the middle of an edit, declares nothing: its members do not belong to the
        // enclosing type.
        if condition == .no || extended.isEmpty {
            scopes.append(nil)
        } else {
            add(
                SwiftTypeDeclaration(
                    kind: kind, path: names, attributes: attributes, inherited: inherited, isGeneric: isGeneric,
                    isActive: condition, place: place(of: start)))
        }
        advance()
        forgetPrefix()
    }

    /// Returns the types after the colon, up to `where` or the brace.
    private mutating func scanInherited() -> [String] {
        var types: [String] = []
        while token.kind != .end {
            let type = scanTypeText(endsAtWhere: true)
            if !type.isEmpty { types.append(type) }
            guard token.isPunctuation(",") else { break }
            advance()
        }
        return types
    }

    /// Skips the head and the body of a function.
    private mutating func scanFunction(_ word: String) {
        advance()
        if word == "func", token.kind == .identifier, text == "encode" {
            advance()
            if begins(with: "to") { noteCustomCoding() }
        } else if word == "init" {
            while token.isPunctuation("?") || token.isPunctuation("!") { advance() }
            if begins(with: "from") { noteCustomCoding() }
        }
        var last = SwiftToken.Kind.identifier
        var lastText = word
        while token.kind != .end, token.kind != .close, !token.isPunctuation(";") {
            if token.isPunctuation("{") {
                skipBalanced()
                break
            }
            if token.kind == .macro { break }
            if token.isFirstOfLine, !continuesHead(last, lastText) { break }
            last = token.kind
            lastText = token.kind == .identifier || token.kind == .punctuation ? text : ""
            if token.kind == .open {
                last = .close
                skipBalanced()
            } else {
                advance()
            }
        }
        forgetPrefix()
    }

    /// Returns whether the current token, the first of its line, still belongs to the head of a function.
    private func continuesHead(_ last: SwiftToken.Kind, _ lastText: String) -> Bool {
        if token.kind == .arrow || last == .arrow || [",", ":", "where", "func", "init"].contains(lastText) {
            return true
        }
        if token.isPunctuation("(") || token.isPunctuation("{") || token.kind == .operator { return true }
        return token.kind == .identifier
            && ["throws", "rethrows", "async", "where", "reasync"].contains(lexer.text(token.range))
    }

    /// Returns whether parentheses with this label begin here.
    private func begins(with label: String) -> Bool {
        guard token.isPunctuation("(") else { return false }
        var ahead = lexer
        let next = ahead.next()
        return next.kind == .identifier && lexer.text(next.range) == label
    }

    private mutating func scanAlias() {
        let start = token
        advance()
        guard token.kind == .identifier || token.kind == .escapedIdentifier else { return forgetPrefix() }
        let name = text
        advance()
        let isGeneric = token.isPunctuation("<")
        if isGeneric { skipAngles() }
        guard token.isPunctuation("=") else { return forgetPrefix() }
        advance()
        let type = scanTypeText()
        if !isGeneric, condition != .no {
            add(SwiftTypeAlias(path: path + [name], type: type, isActive: condition, place: place(of: start)))
        }
        forgetPrefix()
    }

    /// Scans the cases of an enumeration after one `case`.
    private mutating func scanCases() {
        advance()
        while token.kind == .identifier || token.kind == .escapedIdentifier {
            let name = text
            advance()
            let hasPayload = token.isPunctuation("(")
            if hasPayload { skipBalanced() }
            var rawValue: String?
            if token.isPunctuation("=") {
                advance()
                rawValue = scanExpressionText()
            }
            if condition != .no {
                add(SwiftEnumCase(name: name, hasPayload: hasPayload, rawValue: rawValue, isActive: condition))
            }
            guard token.isPunctuation(",") else { break }
            advance()
        }
        forgetPrefix()
    }
}
