public import RecordSources
public import SQLiteAccess

extension ValueConversion {
    /// Converts a column of a batch to one value for each record; NULL for records that cannot be read.
    ///
    /// Converting column by column keeps the loop small. If a value cannot be converted, its record gets NULL, and the
    /// failure is stored under the number of the record.
    public func convert(
        column: Int, of batch: inout RecordBatch, into values: inout [ConvertedValue],
        failures: inout [Int: ConversionFailure]
    ) {
        values.removeAll(keepingCapacity: true)
        values.append(contentsOf: repeatElement(.null, count: batch.count))
        let records = (0..<Int32(truncatingIfNeeded: batch.count)).filter { batch.entries[Int($0)].problemIndex < 0 }
        var found: [ConvertedValue] = Array(repeating: .null, count: records.count)
        let others = Set(
            convertSimpleValues(
                column: column, of: batch, records: records, into: &found, offset: 0, stride: 1, isStored: false))
        for (index, record) in records.enumerated() {
            let record = Int(record)
            guard others.contains(Int32(index)) else {
                values[record] = found[index]
                continue
            }
            do throws(ConversionFailure) {
                values[record] = try convert(batch.field(column, of: record), in: &batch)
            } catch {
                failures[record] = error
            }
        }
    }

    /// Converts the values that need only their own bytes.
    ///
    /// - Parameters:
    ///   - records: the record of each value, all without a problem.
    ///   - values: receives the value of `records[n]` at `n * stride + offset`; a decimal as the number that a store
    ///     holds.
    ///   - nullStays: whether NULL, and an empty text that is NULL, need no further processing; the value is unchanged
    ///     then.
    /// - Returns: the indexes in `records` of the other values, including absent ones, which are unchanged.
    package func convertSimpleValues(
        column: Int, of batch: borrowing RecordBatch, records: [Int32], into values: inout [ConvertedValue],
        offset: Int, stride: Int, isStored: Bool = true, nullStays: Bool = false
    ) -> [Int32] {
        var others: [Int32] = []
        let entries = batch.entries.span
        let fields = batch.fields.span
        let arena = batch.arena.span
        let numbers = records.span
        let isSimple = self.numbers.isPlain && !(target == .string && trims)
        let passesEmpty = nullStays && emptyText != .never
        var results = values.mutableSpan
        for index in numbers.indices {
            let entry = entries[Int(numbers[index])]
            if column < Int(entry.fieldCount) {
                let field = fields[Int(entry.firstField) + column]
                let kind = field.kind
                if isSimple && (kind == .text || kind == .quoted || kind == .number), field.length > 0,
                    kind != .text || !nullTokenStarts.contains(arena[field.start]),
                    let value = simpleValue(field.start, field.length, arena, isStored)
                {
                    results[index * stride + offset] = value
                    continue
                }
                if passesEmpty && kind == .text && field.length == 0 { continue }
                if nullStays && kind == .null { continue }
            }
            others.append(Int32(truncatingIfNeeded: index))
        }
        return others
    }

    /// Returns the value of a text in its most common form; nil for other texts.
    @inline(__always)
    private func simpleValue(_ start: Int, _ count: Int, _ arena: Span<UInt8>, _ isStored: Bool) -> ConvertedValue? {
        let range = Range(uncheckedBounds: (start, start + count))
        do throws(ConversionFailure) {
            switch target {
            case .string: return .text(ArenaRange(start: start, count: count))
            case .integer: return .integer(try IntegerConversion.integer(arena.extracting(range), in: integerRange))
            case .double: return .real(try RealConversion.double(arena.extracting(range)))
            case .boolean: return .integer(try booleans.boolean(arena.extracting(range)) ? 1 : 0)
            case .date: return .real(try date.seconds(arena.extracting(range)))
            case .decimal:
                if isStored { return DecimalConversion.stored(arena.extracting(range)) }
                guard case .part(let part) = try DecimalConversion.decimal(arena.extracting(range)) else { return nil }
                return .text(ArenaRange(start: start + part.lowerBound, count: part.count))
            case .float, .binary, .uuid, .uri: return nil
            }
        } catch {
            return nil
        }
    }
}
