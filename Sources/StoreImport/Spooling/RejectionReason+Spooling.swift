internal import ObjectValidation
import RecordConversion
import RecordSources

/// The encoding of a reason in a spool (docs/format/spools.md#reasons), and for records that wait to be rejected.
extension RejectionReason {
    func encode(into encoder: inout SpoolEncoder) {
        for text in [entity, property, column] { encoder.append(optional: text) }
        encoder.append(bytes: value)
        encoder.append(count: isQuotedEmptyText ? 1 : 0)
        encoder.append(count: place)
        fault.encode(into: &encoder)
    }

    init(decoding decoder: inout SpoolDecoder) throws(SpoolDecoder.Fault) {
        let (entity, property) = (try decoder.optionalText(), try decoder.optionalText())
        let column = try decoder.optionalText()
        let value = Array(try decoder.data())
        let (isQuotedEmptyText, place) = (try decoder.flag(), try decoder.count(atMost: .max))
        self.init(
            try RejectionFault(decoding: &decoder), entity: entity, property: property, column: column, value: value)
        self.isQuotedEmptyText = isQuotedEmptyText
        self.place = place
    }

    /// The encoded reason.
    var encoded: [UInt8] {
        var encoder = SpoolEncoder()
        encode(into: &encoder)
        return encoder.bytes
    }
}

extension RejectionFault {
    /// The number that identifies a fault, before its facts.
    private enum Tag: Int {
        case unreadable, unfit, rule, noValue, nullDestination, noDestination, noObject, noObjectYet, notCreatable
        case dependent, notUnique, exists, noMatch, unresolved, rivalRejected, skipped
    }

    private func encode(_ tag: Tag, _ texts: [String] = [], into encoder: inout SpoolEncoder) {
        encoder.append(count: tag.rawValue)
        for text in texts { encoder.append(text) }
    }

    fileprivate func encode(into encoder: inout SpoolEncoder) {
        switch self {
        case .unreadable(let problem):
            encode(.unreadable, into: &encoder)
            problem.encode(into: &encoder)
        case .unfit(let failure, let expected):
            encode(.unfit, [expected], into: &encoder)
            encoder.append(count: Int(failure.reason.rawValue))
            encoder.append(count: failure.offset)
        case .rule(let rule):
            encode(.rule, into: &encoder)
            rule.encode(into: &encoder)
        case .noValue: encode(.noValue, into: &encoder)
        case .nullDestination: encode(.nullDestination, into: &encoder)
        case .noDestination: encode(.noDestination, into: &encoder)
        case .noObject(let entity): encode(.noObject, [entity], into: &encoder)
        case .noObjectYet(let entity): encode(.noObjectYet, [entity], into: &encoder)
        case .notCreatable(let entity, let attribute): encode(.notCreatable, [entity, attribute], into: &encoder)
        case .dependent(let entity):
            encode(.dependent, into: &encoder)
            encoder.append(optional: entity)
        case .notUnique(let reason): encode(.notUnique, [reason], into: &encoder)
        case .exists: encode(.exists, into: &encoder)
        case .noMatch: encode(.noMatch, into: &encoder)
        case .unresolved(let entity, let key, let isRepeatable):
            encode(.unresolved, [entity, key], into: &encoder)
            encoder.append(count: isRepeatable ? 1 : 0)
        case .skipped(let key, let isRepeatable):
            encode(.skipped, [key], into: &encoder)
            encoder.append(count: isRepeatable ? 1 : 0)
        case .rivalRejected(let file, let record):
            encode(.rivalRejected, [file], into: &encoder)
            encoder.append(count: record)
        }
    }

    fileprivate init(decoding decoder: inout SpoolDecoder) throws(SpoolDecoder.Fault) {
        guard let tag = Tag(rawValue: try decoder.count(atMost: Tag.skipped.rawValue)) else {
            throw decoder.fault
        }
        switch tag {
        case .unreadable: self = .unreadable(try RecordProblem(decoding: &decoder))
        case .unfit:
            let expected = try decoder.text()
            guard
                let reason = ConversionFailure.Reason(rawValue: UInt8(try decoder.count(atMost: Int(UInt8.max))))
            else { throw decoder.fault }
            self = .unfit(ConversionFailure(reason, at: try decoder.count(atMost: .max)), expected: expected)
        case .rule: self = .rule(try ValidationFault(decoding: &decoder))
        case .noValue: self = .noValue
        case .nullDestination: self = .nullDestination
        case .noDestination: self = .noDestination
        case .noObject: self = .noObject(entity: try decoder.text())
        case .noObjectYet: self = .noObjectYet(entity: try decoder.text())
        case .notCreatable: self = .notCreatable(entity: try decoder.text(), lacking: try decoder.text())
        case .dependent: self = .dependent(entity: try decoder.optionalText())
        case .notUnique: self = .notUnique(try decoder.text())
        case .exists: self = .exists
        case .noMatch: self = .noMatch
        case .unresolved:
            self = .unresolved(
                entity: try decoder.text(), key: try decoder.text(), isRepeatable: try decoder.flag())
        case .rivalRejected:
            self = .rivalRejected(file: try decoder.text(), record: try decoder.count(atMost: .max))
        case .skipped: self = .skipped(key: try decoder.text(), isRepeatable: try decoder.flag())
        }
    }
}

extension ValidationFault {
    /// The rules that have no facts in addition to their names, by number.
    private static let plain: [ValidationFault] = [
        .missing, .numberTooLarge, .numberTooSmall, .dateTooLate, .dateTooSoon, .textTooLong, .textTooShort,
        .patternMismatch, .missingRelationship,
    ]

    fileprivate func encode(into encoder: inout SpoolEncoder) {
        let first = Self.plain.count
        switch self {
        case .predicateFailed(let format, let warning):
            encoder.append(count: first)
            encoder.append(format)
            encoder.append(optional: warning)
        case .tooFewRelated(let count, let limit), .tooManyRelated(let count, let limit):
            if case .tooFewRelated = self { encoder.append(count: first + 1) } else { encoder.append(count: first + 2) }
            encoder.append(bits: UInt64(bitPattern: count))
            encoder.append(bits: UInt64(bitPattern: limit))
        default: encoder.append(count: Self.plain.firstIndex(of: self) ?? 0)
        }
    }

    fileprivate init(decoding decoder: inout SpoolDecoder) throws(SpoolDecoder.Fault) {
        let first = Self.plain.count
        let number = try decoder.count(atMost: first + 2)
        switch number {
        case ..<first: self = Self.plain[number]
        case first: self = .predicateFailed(format: try decoder.text(), warning: try decoder.optionalText())
        default:
            let (count, limit) = (Int64(bitPattern: try decoder.bits()), Int64(bitPattern: try decoder.bits()))
            self =
                number == first + 1
                ? .tooFewRelated(count: count, minimum: limit) : .tooManyRelated(count: count, maximum: limit)
        }
    }
}
