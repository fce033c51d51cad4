/// Key paths: the keys that the resolver knows become one slot, and the rest is followed key by key.
extension ProgramCompiler {
    /// The maximum number of keys in a key path, since each takes stack space during the evaluation.
    private static var maximumKeyCount: Int { 64 }

    mutating func compile(path expression: Expression) throws -> Int {
        var operand = expression
        var keys: [String] = []
        while case .keyPath(let inner, let path) = operand {
            keys = path.split(separator: ".", omittingEmptySubsequences: false).map { String($0) } + keys
            operand = inner
            guard keys.count <= Self.maximumKeyCount else {
                throw fault(.tooDeep, "a key path of more than \(Self.maximumKeyCount) keys", at: expression)
            }
        }
        return try compile(keys[...], on: operand, expression)
    }

    mutating func compile(
        _ keys: ArraySlice<String>, on operand: Expression, _ place: Expression
    ) throws -> Int {
        guard keys.allSatisfy({ !$0.isEmpty }) else {
            throw fault(.nameUnknown, "a key path has an empty key", at: place)
        }
        let start: NameStart
        switch operand {
        case .evaluatedObject: start = .evaluatedObject
        case .variable(let name):
            if let local = locals.last(where: { $0.name == name }) {
                return try compile(keys, after: add(.local(local.number), operand), place)
            }
            start = .variable(name)
        default: return try compile(keys, after: compile(operand), place)
        }
        let plain = keys.prefix { !$0.hasPrefix("@") }
        if let resolved = try names.slot(of: plain, from: start), resolved.keyCount <= plain.count {
            return try compile(keys.dropFirst(resolved.keyCount), after: add(.slot(resolved.slot), place), place)
        }
        if !plain.isEmpty, let resolved = try names.slot(of: [], from: start) {
            return try compile(keys, after: add(.slot(resolved.slot), operand), place)
        }
        let name = plain.joined(separator: ".")
        let clause =
            switch start {
            case .variable(let variable) where plain.isEmpty: "there is no variable $\(variable) here"
            case .variable(let variable): "there is no \(name) of $\(variable) here"
            default: plain.isEmpty ? "SELF has no value here" : "there is nothing named \(name) here"
            }
        throw fault(.nameUnknown, clause, at: place)
    }

    /// Compiles keys on the value of a node.
    private mutating func compile(_ keys: ArraySlice<String>, after node: Int, _ place: Expression) throws -> Int {
        guard let key = keys.first else { return node }
        if key.hasPrefix("@") {
            return try compile(collectionOperator: key, keys.dropFirst(), after: node, place)
        }
        // One key at a time, so that an object that is missing along the path is skipped if there are several.
        let resolved = try names.slot(of: keys.prefix(1), from: .object)
        let valueKey = ValueKey(rawValue: key)
        guard resolved != nil || valueKey != nil else {
            throw fault(.nameUnknown, "there is nothing named \(key) here", at: place)
        }
        let step = add(.key(of: node, slot: resolved?.slot, valueKey: valueKey), place)
        return try compile(keys.dropFirst(), after: step, place)
    }

    /// Compiles `@sum.price`: the keys after the operator are applied to each element, and the operator to the results,
    /// on which the next operator continues.
    private mutating func compile(
        collectionOperator name: String, _ keys: ArraySlice<String>, after node: Int, _ place: Expression
    ) throws -> Int {
        if name == "@count" {
            return try compile(keys, after: add(.collection(.count, of: node), place), place)
        }
        let ownKeys = keys.prefix { !$0.hasPrefix("@") }
        var result = try compile(ownKeys, after: node, place)
        switch name {
        case "@unionOfObjects", "@unionOfArrays", "@unionOfSets": break
        default:
            guard let function = CollectionFunction(keyPathOperator: name) else {
                throw fault(.nameUnknown, "there is no collection operator \(name)", at: place)
            }
            result = add(.collection(function, of: result), place)
        }
        return try compile(keys.dropFirst(ownKeys.count), after: result, place)
    }
}
