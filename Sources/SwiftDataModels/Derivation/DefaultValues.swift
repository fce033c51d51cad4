import ManagedObjectModels

/// The values of initial-value expressions, if they are literals or constants.
struct DefaultValues {
    let declarations: SwiftDeclarations
    let moment: SwiftDataMoment

    /// Returns the value in the attribute's type; nil if the expression is not supported, which is not an error.
    ///
    /// - Parameter valueClass: the value class of a transformable attribute.
    func value(of expression: String, type: AttributeType, valueClass: String? = nil) -> AttributeValue? {
        let text = expression.trimmingBlanks
        if type == .transformable { return array(text, valueClass: valueClass) }
        if let value = SwiftInitialValue(text).literal(of: type) { return value }
        let call = text.replacing(".init()", with: "()").replacing("Foundation.", with: "")
        switch type {
        case .date where ["Date()", "()", "Date.now", ".now"].contains(call): return .date(moment.date)
        case .date where ["Date.distantPast", ".distantPast"].contains(call): return .date(-63_114_076_800)
        case .date where ["Date.distantFuture", ".distantFuture"].contains(call): return .date(63_113_904_000)
        case .uuid where ["UUID()", "()"].contains(call): return .uuid(moment.uuid)
        default: return nil
        }
    }

    /// Returns an array of literals, such as `[]`, `["a"]` and `[String]()`; for elements other than strings and data,
    /// only an empty one.
    private func array(_ text: String, valueClass: String?) -> AttributeValue? {
        guard let valueClass, valueClass.hasPrefix("Array<"), valueClass.hasSuffix(">") else { return nil }
        let element = String(valueClass.dropFirst(6).dropLast())
        let type: AttributeType? = element == "String" ? .string : element == "Data" ? .binaryData : nil
        let call = text.replacing(".init()", with: "()").replacing("Foundation.", with: "").replacing(" ", with: "")
        if ["()", "Array()", "[\(element)]()", "\(valueClass)()"].contains(call) { return .array([]) }
        guard let literals = SwiftArguments.elements(of: text) else { return nil }
        let values = literals.compactMap { literal in type.flatMap { value(of: literal, type: $0) } }
        return values.count == literals.count ? .array(values) : nil
    }

    /// Returns the raw value of the enumeration case in the expression.
    ///
    /// - Parameter type: the enumeration; nil if the expression names it.
    func rawValue(
        of expression: String, declaredAs type: SwiftType? = nil, in scope: SwiftDeclarations.Scope,
        element: AttributeType
    ) -> AttributeValue? {
        guard let (names, member) = SwiftInitialValue(expression).member else { return nil }
        let (resolved, place) = declarations.resolved(type ?? .named(names), in: scope)
        guard case .named(let path) = resolved.unwrapped.type,
            case .declared(let index)? = declarations.meaning(of: path, in: place),
            names.isEmpty || names.last == declarations.types[index].name
        else { return nil }
        var next: Int64? = 0
        for enumCase in declarations.types[index].cases {
            let literal = enumCase.rawValue.flatMap { SwiftInitialValue($0).literal(of: element) }
            if case .integer(let number)? = literal { next = number }
            if enumCase.name == member {
                if let literal { return literal }
                guard enumCase.rawValue == nil else { return nil }
                if element == .string { return .string(member) }
                return element.integerRange != nil ? next.map { .integer($0) } : nil
            }
            if literal == nil, enumCase.rawValue != nil { next = nil }
            next = next.flatMap { $0 == .max ? nil : $0 + 1 }
        }
        return nil
    }
}
