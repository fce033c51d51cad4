import ManagedObjectModels

/// Determines how SwiftData stores types (docs/format/swiftdata.md#types).
struct ShapeDerivation {
    let declarations: SwiftDeclarations

    /// The context of a type: the scope, the name of the column, and the depth in structures.
    struct Context {
        var scope: SwiftDeclarations.Scope
        var name: String
        var isOptional: Bool
        var depth = 0

        var isElement: Bool { depth > 0 }
    }

    func shape(of type: SwiftType, in context: Context) -> DerivedShape {
        let (resolved, scope) = declarations.resolved(type, in: context.scope)
        let (inner, isOptional) = resolved.unwrapped
        var context = context
        context.scope = scope
        context.isOptional = context.isOptional || isOptional
        switch inner {
        case .named(let names): return named(names, in: context)
        case .array(let element): return array(element, in: context)
        case .set(let element): return set(element, in: context)
        case .dictionary(let key, let value): return dictionary(key, value, in: context)
        case .optional, .other: return unknown("the type \(inner) has no known rule")
        }
    }

    private func named(_ names: [String], in context: Context) -> DerivedShape {
        switch declarations.meaning(of: names, in: context.scope) {
        case .declared(let index)?: return declared(index, in: context)
        case .ambiguous(let places)?:
            return unknown("the type \(names.joined(separator: ".")) is declared \(declarations.text(of: places))")
        case .alias?, nil: return external(names, isOptional: context.isOptional)
        }
    }

    /// Returns the shape of a type that the sources do not declare.
    private func external(_ names: [String], isOptional: Bool) -> DerivedShape {
        let name = names.joined(separator: ".")
        if let type = ExternalTypes.certain[name] { return DerivedShape(.plain(type)) }
        if let (type, others) = ExternalTypes.byAnalogy[name] {
            return DerivedShape(
                .plain(type), doubt: "how SwiftData stores \(name) is not established; \(type.name) is by analogy",
                alternatives: ([type] + others).map { .init(label: $0.name, shape: .plain($0)) })
        }
        if let names = ExternalTypes.composites[name] {
            let elements = names.map { AttributeDescription(name: $0, type: .float, isOptional: isOptional) }
            return DerivedShape(.composite(elements, isEnum: false))
        }
        return unknown(
            "the type \(name) is not declared in these sources, and no rule for it is known; "
                + "add the sources of its module, or let a store tell (ferry hashes --fit STORE --save)")
    }

    private func declared(_ index: Int, in context: Context) -> DerivedShape {
        let type = declarations.types[index]
        if type.isModel { return DerivedShape(.toOne(index)) }
        if let condition = type.isActive.unknownText {
            return unknown("the type \(type.qualifiedName) is declared only if \(condition); decide it with --define")
        }
        if type.isGeneric { return unknown("the type \(type.qualifiedName) is generic, for which no rule is known") }
        switch type.kind {
        case .enum: return enumeration(type, in: context)
        case .struct: return structure(type, in: context)
        case .class, .actor, .protocol, .extension:
            return unknown("how SwiftData stores the \(type.kind.rawValue) \(type.qualifiedName) is not known")
        }
    }

    func unknown(_ reason: String) -> DerivedShape {
        let types: [AttributeType] = [
            .binaryData, .string, .integer64, .integer32, .integer16, .double, .float, .date, .uuid, .uri, .decimal,
            .boolean,
        ]
        return DerivedShape(
            .unknown, doubt: reason,
            alternatives: [.init(label: "Transformable", shape: .transformable(valueClass: nil))]
                + types.map { .init(label: $0.name, shape: .plain($0)) })
    }

    /// Returns the type of a property, declared or inferred from its initial value; nil if neither is possible.
    func declaredType(of property: SwiftProperty, in scope: SwiftDeclarations.Scope) -> SwiftType? {
        if let type = property.type { return SwiftTypeParser.type(type) }
        guard let text = property.initialValue else { return nil }
        let value = SwiftInitialValue(text)
        if let type = value.type { return type }
        // `Status.active` is a `Status` if that is an enumeration with this case, or a type with such a constant.
        guard let (names, member) = value.member, !names.isEmpty else { return nil }
        let type = SwiftType.named(names)
        // `Status.active.rawValue`
        if member == "rawValue" {
            guard case .declared(let index)? = declarations.meaning(of: names.dropLast(), in: scope),
                declarations.types[index].cases.contains(where: { $0.name == names.last })
            else { return nil }
            return .named(names.dropLast() + ["RawValue"])
        }
        if names == ["Date"], ["now", "distantPast", "distantFuture"].contains(member),
            declarations.meaning(of: names, in: scope) == nil
        {
            return type
        }
        guard case .declared(let index)? = declarations.meaning(of: names, in: scope) else { return nil }
        let declared = declarations.types[index]
        if declared.cases.contains(where: { $0.name == member }) { return type }
        let statics = ([declared] + declarations.extensions(of: declared)).flatMap(\.properties)
        guard let constant = statics.first(where: { $0.name == member && $0.isStatic }) else { return nil }
        if let text = constant.type { return SwiftTypeParser.type(text) }
        return constant.initialValue.flatMap { SwiftInitialValue($0).type }
    }
}
