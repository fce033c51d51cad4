import KeyedArchives
import ManagedObjectModels
import PersistentStores
import PredicateExpressions
import SQLiteAccess

/// The generation of one attribute's values.
struct AttributeFixture: Sendable {
    let attribute: ResolvedAttribute
    /// The source of values; nil if none can be generated: then there are none, if that is allowed.
    let source: (any ValueSource)?
    /// The reason why there is no source, as a sentence.
    private(set) var problem: String?
    /// Notes about rules that are not considered, as sentences.
    private(set) var remarks: [String] = []

    private let check: ValueCheck
    private let rules: FixtureRules
    private let seed: UInt64

    /// - Parameter entity: the name of the declaring entity.
    init(_ attribute: ResolvedAttribute, of entity: String, seed: UInt64) {
        self.attribute = attribute
        rules = FixtureRules(attribute)
        check = ValueCheck(rules.predicates)
        // Derived from the names, not from numbers: unchanged parts of a later version keep their data.
        self.seed = SeededNumbers.mixed(seed ^ SeededNumbers.number(of: entity + "." + attribute.name))
        let name = AttributeName(attribute.name, of: entity)
        (source, problem) = Self.source(attribute, rules, check, name, self.seed)
        for text in rules.unparsed + check.unknown {
            remarks.append("the predicate \(text) cannot be evaluated; values may break it")
        }
    }

    private static func source(
        _ attribute: ResolvedAttribute, _ rules: FixtureRules, _ check: ValueCheck, _ name: AttributeName,
        _ seed: UInt64
    ) -> ((any ValueSource)?, String?) {
        if let contradiction = rules.contradiction { return (nil, "no value is valid: \(contradiction)") }
        if let listed = rules.listed {
            let values = listed.compactMap { Self.value($0, of: attribute.type) }.filter { check.accepts($0) }
            guard !values.isEmpty else { return (nil, "no value that its predicates list is valid") }
            return (ListedValues(values: values), nil)
        }
        switch attribute.type {
        case .integer16, .integer32, .integer64:
            guard let range = attribute.type.integerRange.flatMap({ rules.integers(of: $0) }) else {
                return (nil, "no integer is within its range")
            }
            return verified(IntegerValues(range: range, name: name), check)
        case .decimal, .double, .float:
            return verified(
                RealValues(type: attribute.type, lower: rules.lower?.real, upper: rules.upper?.real, name: name), check)
        case .date: return verified(DateValues(lower: rules.lower?.real, upper: rules.upper?.real), check)
        case .boolean: return verified(BooleanValues(), check)
        case .string: return texts(rules, check, name)
        case .uuid: return verified(UUIDValues(seed: seed), check)
        case .uri: return verified(URIValues(), check)
        case .binaryData:
            return verified(BinaryValues(mayBeExternal: attribute.description.hasExternalData), check)
        case .transformable: return (TransformableValues(), nil)
        case .undefined, .objectID, .composite: return (nil, "no value of the type \(attribute.type.name) can be made")
        }
    }

    /// The maximum length of texts in UTF-16 units.
    private static let longestText = 1 << 16

    private static func texts(
        _ rules: FixtureRules, _ check: ValueCheck, _ name: AttributeName
    ) -> ((any ValueSource)?, String?) {
        guard rules.lengths.lowerBound <= longestText else {
            return (nil, "its texts would have to be longer than \(longestText)")
        }
        var pattern: GeneratedPattern?
        var fault: PatternFault?
        if let text = rules.pattern {
            do throws(PatternFault) {
                pattern = try GeneratedPattern(text)
            } catch {
                fault = error
            }
        }
        let style = TextStyle(name)
        if let values = TextValues(style: style, lengths: rules.lengths, pattern: pattern, check: check) {
            return (values, nil)
        }
        guard let text = rules.pattern else { return (nil, "no text was found that satisfies its rules") }
        if let fault { return (nil, "no text can be made of the pattern \(text), which has \(fault)") }
        return (nil, "no text was found that matches the pattern \(text) and the other rules")
    }

    /// Returns a source that generates some values which satisfy the predicates.
    private static func verified(_ source: some ValueSource, _ check: ValueCheck) -> ((any ValueSource)?, String?) {
        var random = SeededNumbers(0)
        for number in 0..<1000 {
            let place = ValuePlace(number: number, kind: number % 2 == 0 ? .ordinary : RowKind(number: number / 2))
            if check.accepts(source.value(at: place, &random)) { return (source, nil) }
        }
        return (nil, "no value was found that satisfies its predicates")
    }

    private static func value(_ constant: ConstantValue, of type: AttributeType) -> AttributeValue? {
        switch (type, constant) {
        case (.integer16, .integer(let number)), (.integer32, .integer(let number)), (.integer64, .integer(let number)):
            type.integerRange?.contains(number) == true ? .integer(number) : nil
        case (.double, .integer(let number)), (.float, .integer(let number)): .real(Double(number))
        case (.double, .real(let number)), (.float, .real(let number)): .real(number)
        case (.decimal, .integer(let number)): .decimal("\(number)")
        case (.decimal, .real(let number)): .decimal("\(number)")
        case (.decimal, .decimal(let number)): .decimal(number.description)
        case (.string, .string(let text)): .string(text)
        case (.uri, .url(let text)): .uri(text)
        case (.boolean, .boolean(let flag)): .boolean(flag)
        case (.boolean, .integer(let number)): .boolean(number != 0)
        case (.date, .date(let seconds)): .date(seconds)
        case (.uuid, .uuid(let bytes)): .uuid(bytes)
        default: nil
        }
    }

    /// The name of a value transformer of the app, which may not be able to read the values.
    var unknownTransformer: String? {
        guard attribute.type == .transformable, !attribute.description.isKeyedArchive else { return nil }
        return attribute.description.valueTransformerName
    }

    // MARK: Values

    /// Returns the value of an object; nil for NULL.
    ///
    /// - Parameter distinct: the number of a unique value, if the attribute is part of a uniqueness constraint.
    func value(at place: ValuePlace, distinct: Int?) -> AttributeValue? {
        guard let source else { return nil }
        var random = SeededNumbers(SeededNumbers.mixed(seed &+ UInt64(place.number)))
        if attribute.isOptional, distinct == nil || place.kind == .sparse {
            if place.kind == .sparse || place.kind == .ordinary && random.isOnce(in: 8) { return nil }
        }
        if let distinct { return source.distinct(distinct) }
        if place.kind == .defaults, let value = attribute.description.defaultValue, isValid(value) { return value }
        let value = source.value(at: place, &random)
        if check.accepts(value) { return value }
        for attempt in 0..<1000 {
            let other = ValuePlace(number: place.number, kind: attempt == 0 ? .ordinary : RowKind(number: attempt))
            let value = source.value(at: other, &random)
            if check.accepts(value) { return value }
        }
        return attribute.isOptional ? nil : source.distinct(0)
    }

    /// Returns whether a value of the model satisfies the attribute's own rules.
    private func isValid(_ value: AttributeValue) -> Bool {
        guard check.accepts(value) else { return false }
        switch value {
        case .integer(let number):
            return attribute.type.integerRange.flatMap { rules.integers(of: $0) }?.contains(number) ?? true
        case .real(let number), .date(let number): return isWithin(number)
        case .decimal(let digits): return Double(digits).map(isWithin) ?? false
        case .string(let text): return attribute.type != .string || rules.lengths.contains(text.utf16.count)
        case .unparsed: return false
        case .boolean, .binary, .uuid, .uri, .array: return true
        }
    }

    private func isWithin(_ number: Double) -> Bool {
        number >= rules.lower?.real ?? -.infinity && number <= rules.upper?.real ?? .infinity
    }
}

extension AttributeFixture {
    /// Returns the name of the file for the value of an object, 16 bytes.
    func fileName(at place: ValuePlace) -> [UInt8] {
        var random = SeededNumbers(SeededNumbers.mixed(~seed &+ UInt64(place.number)))
        return random.uuid()
    }
}
