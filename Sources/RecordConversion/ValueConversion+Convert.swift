public import RecordSources
public import SQLiteAccess

extension ValueConversion {
    /// Converts a value of a batch; bytes that are not a part of the value are added to the batch's arena.
    ///
    /// NULL and missing values become NULL.
    /// - Throws: `ConversionFailure`, with the byte at which the value does not fit the attribute.
    public func convert(
        _ field: RecordField, in batch: inout RecordBatch
    ) throws(ConversionFailure) -> ConvertedValue {
        switch field.kind {
        case .null, .missing: return .null
        case .text, .quoted: return try convertText(field, in: &batch)
        case .number, .boolean, .integer, .real, .date: return try convertNumber(field, in: &batch)
        case .blob: return try convertBlob(field)
        case .node: throw ConversionFailure(.notASingleValue)
        case .failure: throw ConversionFailure(.notComputable)
        }
    }

    /// Converts a value that is a number, a date or a Boolean in the source, and not a text.
    private func convertNumber(
        _ field: RecordField, in batch: inout RecordBatch
    ) throws(ConversionFailure) -> ConvertedValue {
        if target == .binary { try binary.refuseNumbers() }
        switch field.kind {
        // JSON has its own words for yes and no, whatever the settings are.
        case .boolean where target == .boolean: return .integer(field.length == 4 ? 1 : 0)
        case .integer: return try convertInteger(batch.integer(of: field), in: &batch)
        case .date where target == .date: return .real(batch.real(of: field))
        case .real, .date: return try convertReal(batch.real(of: field), in: &batch)
        default: return try convertText(field, in: &batch)
        }
    }

    private func convertText(
        _ field: RecordField, in batch: inout RecordBatch
    ) throws(ConversionFailure) -> ConvertedValue {
        var start = field.start
        var count = field.length
        let isQuoted = field.kind == .quoted
        if trims { (start, count) = Trimming.trimmed(batch.arena.span, start, count) }
        if count == 0 {
            switch emptyText {
            case .always: return .null
            case .unlessQuoted where !isQuoted: return .null
            default: break
            }
        } else if !isQuoted, nullTokenStarts.contains(batch.arena[start]),
            isNullToken(batch.arena.span, start, count)
        {
            return .null
        }
        // Numbers of JSON are always written in JSON's format.
        guard numbers.isPlain || !isNumeric || field.kind == .number else {
            return try convertForeignNumber(start, count, in: &batch)
        }
        return try convertText(start, count, in: &batch)
    }

    private var isNumeric: Bool {
        target == .integer || target == .decimal || target == .double || target == .float
    }

    @inline(never)
    private func isNullToken(_ arena: Span<UInt8>, _ start: Int, _ count: Int) -> Bool {
        // In a separate function, to keep it out of the loop: see `nullTokenStarts`.
        tokens: for token in nullTokens where token.count == count {
            for index in 0..<count where arena[start + index] != token[index] { continue tokens }
            return true
        }
        return false
    }

    /// Rewrites a number with other separators in the plain format, at the end of the arena.
    private func convertForeignNumber(
        _ start: Int, _ count: Int, in batch: inout RecordBatch
    ) throws(ConversionFailure) -> ConvertedValue {
        let plain = numbers.plain(batch.arena.span.extracting(start..<start + count))
        let place = batch.appendValue(plain)
        return try convertText(place, plain.count, in: &batch)
    }

    private func convertText(
        _ start: Int, _ count: Int, in batch: inout RecordBatch
    ) throws(ConversionFailure) -> ConvertedValue {
        let range = start..<start + count
        switch target {
        case .string:
            return .text(ArenaRange(start: start, count: count))
        case .integer:
            return .integer(try IntegerConversion.integer(batch.arena.span.extracting(range), in: integerRange))
        case .double:
            return .real(try RealConversion.double(batch.arena.span.extracting(range)))
        case .float:
            return .real(try RealConversion.float(batch.arena.span.extracting(range)))
        case .boolean:
            return .integer(try booleans.boolean(batch.arena.span.extracting(range)) ? 1 : 0)
        case .date:
            return .real(try date.seconds(batch.arena.span.extracting(range)))
        case .decimal:
            switch try DecimalConversion.decimal(batch.arena.span.extracting(range)) {
            case .part(let part): return .text(ArenaRange(start: start + part.lowerBound, count: part.count))
            case .written(let bytes): return .text(batch.appendRange(bytes))
            }
        case .uri:
            try URIConversion.validate(batch.arena.span.extracting(range))
            return .text(ArenaRange(start: start, count: count))
        case .uuid:
            return .blob(batch.appendRange(try UUIDConversion.uuid(batch.arena.span.extracting(range))))
        case .binary:
            return .blob(batch.appendRange(try binary.bytes(batch.arena.span.extracting(range))))
        }
    }

    private func convertInteger(
        _ value: Int64, in batch: inout RecordBatch
    ) throws(ConversionFailure) -> ConvertedValue {
        switch target {
        case .integer:
            guard integerRange.contains(value) else { throw IntegerConversion.outOfRange(value, integerRange) }
            return .integer(value)
        case .boolean:
            guard value == 0 || value == 1 else { throw ConversionFailure(.notABoolean) }
            return .integer(value)
        case .double: return .real(Double(value))
        case .float: return .real(Double(Float(value)))
        case .date:
            if case .iso8601 = date.form { throw ConversionFailure(.notADate) }
            return .real(try date.seconds(Double(value)))
        case .string, .decimal, .uri, .uuid, .binary:
            let text = batch.appendRange(Array(String(value).utf8))
            return try convertText(text.start, text.count, in: &batch)
        }
    }

    private func convertReal(
        _ value: Double, in batch: inout RecordBatch
    ) throws(ConversionFailure) -> ConvertedValue {
        switch target {
        case .double: return .real(value)
        case .float: return .real(try RealConversion.float(value))
        case .integer: return .integer(try IntegerConversion.integer(value, in: integerRange))
        case .boolean:
            guard value == 0 || value == 1 else { throw ConversionFailure(.notABoolean) }
            return .integer(value == 1 ? 1 : 0)
        case .date: return .real(try date.seconds(value))
        case .string, .decimal, .uri, .uuid, .binary:
            let text = batch.appendRange(Array(value.description.utf8))
            return try convertText(text.start, text.count, in: &batch)
        }
    }

    private func convertBlob(_ field: RecordField) throws(ConversionFailure) -> ConvertedValue {
        switch target {
        case .binary: return .blob(ArenaRange(start: field.start, count: field.length))
        case .uuid:
            guard field.length == 16 else { throw ConversionFailure(.notAUUID) }
            return .blob(ArenaRange(start: field.start, count: field.length))
        default: throw ConversionFailure(.notText)
        }
    }
}
