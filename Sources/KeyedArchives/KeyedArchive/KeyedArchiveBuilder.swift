/// Builds a keyed archive: objects are added in any order, may refer to each other in cycles, and are numbered at the
/// end as by `NSKeyedArchiver`: an object, then the objects that it refers to in the order of its keys, then its class.
public struct KeyedArchiveBuilder {
    /// An object being built; valid only in the builder that made it.
    public struct Reference: Hashable, Sendable {
        fileprivate let slot: Int

        /// A reference that is archived as nil.
        public static let null = Reference(slot: -1)
    }

    /// The content of an object under a key.
    public enum Content: Hashable, Sendable {
        /// A Boolean, number or bytes, stored in place.
        case inline(PropertyListValue)
        /// Another object, or nil.
        case reference(Reference)
        /// The elements of a collection.
        case references([Reference])
    }

    private enum Entry {
        case scalar(PropertyListValue)
        case object(ArchivedClass, [(key: String, content: Content)])
    }

    private var entries: [Entry] = []
    private var scalars: [PropertyListValue: Reference] = [:]

    /// Makes a builder without objects.
    public init() {}

    /// Adds a text, number, date or other value without a class; equal values are the same object.
    public mutating func scalar(_ value: PropertyListValue) -> Reference {
        if let known = scalars[value] {
            return known
        }
        entries.append(.scalar(value))
        let reference = Reference(slot: entries.count - 1)
        scalars[value] = reference
        return reference
    }

    /// Adds a text, or nil.
    public mutating func string(_ text: String?) -> Reference {
        text.map { scalar(.string($0)) } ?? .null
    }

    /// Adds an object with its content.
    public mutating func object(_ type: ArchivedClass, _ content: [(key: String, content: Content)]) -> Reference {
        entries.append(.object(type, content))
        return Reference(slot: entries.count - 1)
    }

    /// Adds an object whose content is set later by `fill`, so that others can already refer to it.
    public mutating func object(_ type: ArchivedClass) -> Reference {
        object(type, [])
    }

    /// Sets the content of an object.
    public mutating func fill(_ reference: Reference, _ content: [(key: String, content: Content)]) {
        guard case .object(let type, _) = entries[reference.slot] else {
            preconditionFailure("only an object with a class has content")
        }
        entries[reference.slot] = .object(type, content)
    }

    /// Returns the archive as a binary property list.
    public func bytes(root: Reference, named name: String = "root") -> [UInt8] {
        BinaryPropertyListWriter.bytes(for: propertyList(roots: [(name, root)]))
    }

    /// Returns the archive as a value, which can be written in any format.
    public func propertyList(roots: [(name: String, reference: Reference)]) -> PropertyListValue {
        var numbering = Numbering()
        var top = PropertyListDictionary()
        for root in roots {
            number(from: root.reference, in: &numbering)
            top[root.name] = .uid(numbering.uid(root.reference))
        }
        var objects: [PropertyListValue] = ["$null"]
        objects.reserveCapacity(numbering.order.count + 1)
        for item in numbering.order {
            switch item {
            case .type(let type): objects.append(Self.propertyList(of: type))
            case .slot(let slot):
                switch entries[slot] {
                case .scalar(let value): objects.append(value)
                case .object(let type, let content): objects.append(propertyList(of: type, content, numbering))
                }
            }
        }
        return [
            "$version": 100_000, "$archiver": "NSKeyedArchiver", "$top": .dictionary(top), "$objects": .array(objects),
        ]
    }

    private struct Numbering {
        enum Item {
            case slot(Int)
            case type(ArchivedClass)
        }

        var order: [Item] = []
        var slots: [Int: UInt64] = [:]
        var types: [ArchivedClass: UInt64] = [:]

        func uid(_ reference: Reference) -> UInt64 {
            slots[reference.slot] ?? 0
        }

        /// Assigns a number to an object; returns false if it already has one.
        mutating func add(slot: Int) -> Bool {
            guard slots[slot] == nil else { return false }
            order.append(.slot(slot))
            slots[slot] = UInt64(order.count)
            return true
        }

        mutating func add(type: ArchivedClass) {
            guard types[type] == nil else { return }
            order.append(.type(type))
            types[type] = UInt64(order.count)
        }
    }

    /// Numbers objects with an explicit stack, since an object graph may be as deep as it has objects.
    private func number(from root: Reference, in numbering: inout Numbering) {
        enum Task {
            case visit(Int)
            case finish(ArchivedClass)
        }
        var tasks: [Task] = [.visit(root.slot)]
        while let task = tasks.popLast() {
            switch task {
            case .finish(let type):
                numbering.add(type: type)
            case .visit(let slot):
                guard slot >= 0, numbering.add(slot: slot), case .object(let type, let content) = entries[slot] else {
                    continue
                }
                tasks.append(.finish(type))
                for (_, content) in content.reversed() {
                    switch content {
                    case .inline: break
                    case .reference(let reference): tasks.append(.visit(reference.slot))
                    case .references(let references): tasks += references.reversed().map { .visit($0.slot) }
                    }
                }
            }
        }
    }

    private func propertyList(
        of type: ArchivedClass, _ content: [(key: String, content: Content)], _ numbering: Numbering
    ) -> PropertyListValue {
        var dictionary = PropertyListDictionary()
        for (key, content) in content {
            dictionary[key] =
                switch content {
                case .inline(let value): value
                case .reference(let reference): .uid(numbering.uid(reference))
                case .references(let references): .array(references.map { .uid(numbering.uid($0)) })
                }
        }
        dictionary["$class"] = .uid(numbering.types[type] ?? 0)
        return .dictionary(dictionary)
    }

    private static func propertyList(of type: ArchivedClass) -> PropertyListValue {
        var description: PropertyListValue = [
            "$classname": .string(type.name), "$classes": .array(type.names.map { .string($0) }),
        ]
        if !type.hints.isEmpty, case .dictionary(var pairs) = description {
            pairs["$classhints"] = .array(type.hints.map { .string($0) })
            description = .dictionary(pairs)
        }
        return description
    }
}
