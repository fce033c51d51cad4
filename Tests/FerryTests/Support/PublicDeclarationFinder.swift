@testable import SwiftDataModels

/// Finds the public declarations of a Swift source, but for those that Swift's own documentation describes.
struct PublicDeclarationFinder {
    /// What is around the present place: a type, a protocol or an extension.
    private struct Scope {
        let isVisible: Bool
        /// Whether members without a word are as visible as it.
        let isOfMembers: Bool
        let isOfCases: Bool
    }

    private static let modifiers: Set<String> = [
        "public", "open", "package", "internal", "fileprivate", "private", "static", "final", "indirect", "mutating",
        "nonmutating", "nonisolated", "isolated", "override", "required", "convenience", "lazy", "weak", "unowned",
        "consuming", "borrowing", "prefix", "postfix", "infix", "dynamic", "optional", "distributed",
    ]
    private static let types: Set<String> = ["struct", "class", "actor", "enum", "protocol", "extension"]
    private static let members: Set<String> = [
        "func", "var", "let", "init", "subscript", "typealias", "associatedtype", "case", "macro",
    ]
    /// Requirements of Swift's protocols, by the beginning of their text.
    private static let witnesses = [
        "func ==", "func <(", "func < (", "func hash(into ", "func encode(to ", "init(from ", "var description:",
        "var debugDescription:", "var body:",
    ]

    private(set) var declarations: [PublicDeclaration] = []
    private let lines: [Substring]
    private var lexer: SwiftLexer
    private var token: SwiftToken
    private var scopes: [Scope] = []
    /// The line of the first attribute or word of the declaration that begins here.
    private var start: Int?
    private var words: Set<String> = []

    init(_ source: String) {
        lines = source.split(separator: "\n", omittingEmptySubsequences: false)
        lexer = SwiftLexer(Array(source.utf8))
        token = lexer.next()
        while token.kind != .end { step() }
    }

    private mutating func advance() { token = lexer.next() }

    private mutating func step() {
        if token.kind == .identifier {
            word(lexer.text(token.range))
        } else if token.isPunctuation("@") {
            start = start ?? token.line
            advance()
            advance()
            if token.isPunctuation("("), !token.followsSpace { skipBrackets() }
        } else {
            if token.isPunctuation("}") { _ = scopes.popLast() }
            if token.kind == .open { skipBrackets() } else { advance() }
            forget()
        }
    }

    private mutating func forget() { (start, words) = (nil, []) }

    private mutating func word(_ word: String) {
        if Self.modifiers.contains(word) || word == "class" && isFollowedByMember {
            start = start ?? token.line
            advance()
            // `private(set)` says nothing about reading.
            guard token.isPunctuation("("), !token.followsSpace else {
                words.insert(word)
                return
            }
            skipBrackets()
        } else if Self.types.contains(word) {
            type(word)
            forget()
        } else if Self.members.contains(word) {
            member(word)
            forget()
        } else {
            advance()
            forget()
        }
    }

    private var isFollowedByMember: Bool {
        var ahead = lexer
        return Self.members.contains(ahead.text(ahead.next().range))
    }

    /// Moves behind the bracket that closes the present one.
    private mutating func skipBrackets() {
        var depth = 0
        repeat {
            if token.kind == .open { depth += 1 }
            if token.kind == .close { depth -= 1 }
            advance()
        } while depth > 0 && token.kind != .end
    }

    // MARK: - Declarations

    private var isVisible: Bool {
        guard scopes.last?.isVisible ?? true else { return false }
        if !words.isDisjoint(with: ["public", "open"]) { return true }
        return scopes.last?.isOfMembers ?? false
            && words.isDisjoint(with: ["private", "fileprivate", "internal", "package"])
    }

    private mutating func type(_ keyword: String) {
        let (isExtension, isVisible) = (keyword == "extension", isVisible)
        let place = (start: start ?? token.line, line: token.line)
        while token.kind != .end, !token.isPunctuation("{") {
            if token.kind == .open { skipBrackets() } else { advance() }
        }
        if isVisible, !isExtension { add(place, [], throwsErrors: false) }
        scopes.append(
            Scope(
                isVisible: isVisible || isExtension,
                isOfMembers: isVisible && (keyword == "protocol" || isExtension),
                isOfCases: isVisible && keyword == "enum"))
        advance()
    }

    private mutating func member(_ keyword: String) {
        let isVisible = isVisible || keyword == "case" && scopes.last?.isOfCases ?? false
        let isInherited = words.contains("override")
        let place = (start: start ?? token.line, line: token.line)
        advance()
        var (parameters, throwsErrors): ([String], Bool) = ([], false)
        switch keyword {
        case "func", "init", "subscript":
            // The name may be a word that means something else elsewhere.
            if keyword == "func" { advance() }
            while token.kind != .end, !token.isPunctuation("(") { advance() }
            parameters = parameterNames()
            throwsErrors = signatureThrows()
        default: throwsErrors = valueThrows()
        }
        if isVisible, !isInherited { add(place, parameters, throwsErrors: throwsErrors) }
    }

    private mutating func add(_ place: (start: Int, line: Int), _ parameters: [String], throwsErrors: Bool) {
        let text = lines[place.line - 1].drop { $0 == " " }
        guard !Self.witnesses.contains(where: { text.contains($0) }) else { return }
        var comment: [Substring] = []
        var above = place.start - 2
        while above >= 0 {
            let line = lines[above].drop { $0 == " " }
            guard line.hasPrefix("///") else { break }
            comment.insert(line.dropFirst(line.hasPrefix("/// ") ? 4 : 3), at: 0)
            above -= 1
        }
        declarations.append(
            PublicDeclaration(
                line: place.line, text: String(text), comment: comment, parameters: parameters,
                throwsErrors: throwsErrors))
    }

    // MARK: - Signatures

    /// The inner names of the parameters in the parentheses that begin here; `_` counts as none.
    private mutating func parameterNames() -> [String] {
        var names: [String] = []
        var (depth, last, isNamed) = (0, "", false)
        repeat {
            switch token.kind {
            case .open: depth += 1
            case .close: depth -= 1
            case .identifier where depth == 1, .escapedIdentifier where depth == 1: last = lexer.text(token.range)
            case .punctuation where depth == 1:
                if token.isPunctuation(","), !last.isEmpty { isNamed = false }
                if token.isPunctuation(":"), !isNamed {
                    isNamed = true
                    if last != "_" { names.append(last) }
                }
            default: break
            }
            advance()
        } while depth > 0 && token.kind != .end
        return names
    }

    /// Moves behind the declaration of a function; whether it throws.
    private mutating func signatureThrows() -> Bool {
        var (throwsErrors, isBehindArrow) = (false, false)
        while token.kind != .end, !token.isPunctuation("{"), !token.isPunctuation("}"), !beginsDeclaration {
            if token.kind == .arrow { isBehindArrow = true }
            if token.kind == .identifier, !isBehindArrow, lexer.text(token.range) == "throws" { throwsErrors = true }
            if token.kind == .open { skipBrackets() } else { advance() }
        }
        return isAccessorThrowing() || throwsErrors
    }

    /// Moves behind a property, a case or an alias; whether reading it throws.
    private mutating func valueThrows() -> Bool {
        var isContinued = true
        while token.kind != .end, !token.isPunctuation("{"), !token.isPunctuation("}") {
            if token.isFirstOfLine, !isContinued { return false }
            isContinued = token.isPunctuation(",")
            if token.kind == .open { skipBrackets() } else { advance() }
        }
        return isAccessorThrowing()
    }

    /// Moves behind the braces that begin here, if any; whether they begin with `get throws`.
    private mutating func isAccessorThrowing() -> Bool {
        guard token.isPunctuation("{") else { return false }
        var ahead = lexer
        let isThrowing = ahead.text(ahead.next().range) == "get" && ahead.text(ahead.next().range) == "throws"
        skipBrackets()
        return isThrowing
    }

    private var beginsDeclaration: Bool {
        guard token.isFirstOfLine else { return false }
        if token.isPunctuation("@") || token.kind == .macro { return true }
        guard token.kind == .identifier else { return false }
        let word = lexer.text(token.range)
        return Self.modifiers.contains(word) || Self.members.contains(word) || Self.types.contains(word)
    }
}
