import ManagedObjectModels

/// Structures: composites of the elements of all nested structures.
extension ShapeDerivation {
    /// The maximum depth of structures in structures; deeper ones contain themselves.
    private static let maximumDepth = 16
    private static let maximumElementCount = 4096
    /// The maximum number of elements in all alternatives of a structure together; further ones are not tried.
    private static let maximumAlternativeElementCount = 200_000

    func structure(_ type: SwiftTypeDeclaration, in context: Context) -> DerivedShape {
        guard context.depth < Self.maximumDepth else {
            return unknown("the structure \(type.qualifiedName) is nested too deep, or contains itself")
        }
        if declarations.conforms(type, to: ["RawRepresentable", "OptionSet"]) {
            return rawStructure(type, in: context)
        }
        let keys = CodingKeyNames(of: type, in: declarations)
        var leaves: [AttributeDescription] = []
        var doubts: [String] = []
        var replaced: [(label: String, at: Range<Int>, with: [AttributeDescription])] = []
        if !isCodable(type) || type.hasCustomCoding { doubts.append(codingDoubt(type)) }
        if let doubt = keys.doubt { doubts.append(doubt) }
        for property in type.properties where property.isStored && !property.isStatic {
            if property.modifiers.contains("lazy") { continue }
            if let condition = property.isActive.unknownText {
                return unknown(
                    "\(type.qualifiedName).\(property.name) is declared only if \(condition); decide it with --define")
            }
            guard let name = keys.name(of: property.name) else { continue }
            if !property.attributes.isEmpty {
                doubts.append(
                    "\(type.qualifiedName).\(property.name) has an attribute that may change how it is stored")
            }
            guard let declared = declaredType(of: property, in: declarations.scope(of: type)) else {
                return unknown(
                    "the type of \(type.qualifiedName).\(property.name) does not follow from its initial value")
            }
            var inner = context
            inner.scope = declarations.scope(of: type)
            inner.name = name
            inner.depth += 1
            let isOptional = declarations.resolved(declared, in: inner.scope).type.unwrapped.isOptional
            inner.isOptional = context.isOptional || isOptional
            let shape = shape(of: declared, in: inner)
            guard let own = Self.leaves(shape.shape, name: name, isOptional: inner.isOptional) else {
                return unknown(
                    "\(type.qualifiedName).\(property.name): "
                        + (shape.doubt ?? "a model in a structure is not a relationship"))
            }
            let range = leaves.count..<(leaves.count + own.count)
            leaves += own
            guard leaves.count <= Self.maximumElementCount else {
                return unknown("the structure \(type.qualifiedName) has more than \(Self.maximumElementCount) elements")
            }
            guard let doubt = shape.doubt else { continue }
            doubts.append("\(type.qualifiedName).\(property.name): \(doubt)")
            for other in shape.alternatives {
                guard let elements = Self.leaves(other.shape, name: name, isOptional: inner.isOptional) else {
                    continue
                }
                replaced.append(("\(property.name) as \(other.label)", range, elements))
            }
        }
        guard !leaves.isEmpty else {
            return unknown(
                "how SwiftData stores \(type.qualifiedName), a structure without elements, is not established")
        }
        var result = DerivedShape(
            .composite(leaves, isEnum: false), doubt: doubts.isEmpty ? nil : doubts.joined(separator: "; "))
        if !doubts.isEmpty {
            result.alternatives = [.init(label: "its elements as derived", shape: result.shape)]
            for (label, range, elements) in replaced.prefix(Self.maximumAlternativeElementCount / leaves.count) {
                var changed = leaves
                changed.replaceSubrange(range, with: elements)
                result.alternatives.append(.init(label: label, shape: .composite(changed, isEnum: false)))
            }
            result.alternatives.append(.init(label: "Binary", shape: .plain(.binaryData)))
            result.alternatives.append(.init(label: "Transformable", shape: .transformable(valueClass: nil)))
        }
        return result
    }

    /// Returns the columns of an element: those of nested structures become elements of the outer one, under their own
    /// names.
    private static func leaves(
        _ shape: PropertyShape, name: String, isOptional: Bool
    ) -> [AttributeDescription]? {
        switch shape {
        case .plain(let type): return [AttributeDescription(name: name, type: type, isOptional: isOptional)]
        case .transformable(let valueClass):
            return [.transformable(name, valueClass: valueClass, isOptional: isOptional)]
        case .composite(let elements, _): return elements
        case .toOne, .toMany, .unknown: return nil
        }
    }

    private func rawStructure(_ type: SwiftTypeDeclaration, in context: Context) -> DerivedShape {
        var result = unknown(
            "how SwiftData stores \(type.qualifiedName), a structure with a raw value, is not established")
        guard let raw = type.properties.first(where: { $0.name == "rawValue" && $0.isStored }),
            let declared = declaredType(of: raw, in: declarations.scope(of: type))
        else { return result }
        var inner = context
        inner.depth += 1
        for name in ["rawValue", context.name] {
            inner.name = name
            guard
                let own = Self.leaves(shape(of: declared, in: inner).shape, name: name, isOptional: context.isOptional)
            else { continue }
            result.alternatives.insert(
                .init(label: "one element \(name)", shape: .composite(own, isEnum: false)), at: 0)
        }
        return result
    }
}
