import ManagedObjectModels
import ObjectValidation
import RecordConversion
import RecordSources
import SQLiteAccess

/// Checks the model's rules for an attribute on the values of a sample.
struct SampleChecks {
    /// The result for a draft.
    struct Result {
        var settings: ConversionSettings
        /// The remark; nil if no value of the sample violates a rule.
        var remark: String?
    }

    func check(_ match: AttributeMatch, of entity: ResolvedEntity) -> Result {
        var result = Result(settings: match.conversion.settings, remark: nil)
        let check = AttributeRules(match.attribute)
        guard !check.unusable.contains(where: \.isPattern),
            let conversion = try? ValueConversion(to: match.attribute.type, settings: result.settings)
        else { return result }
        var remarks: [String] = []
        if let (count, sentence, example) = faults(of: match.values, conversion, check) {
            remarks.append(
                "\(count) of \(match.values.fields.count) values of the sample break a rule of the model: "
                    + "\(CommentText.quoted(example)), \(sentence)")
        }
        if match.values.hasQuotedEmpty, conversion.emptyText == .unlessQuoted {
            // An empty text is a normal text, unless the model does not allow it.
            if check.isOptional, check.fault(.text(ArenaRange(start: 0, count: 0)), in: []) != nil {
                result.settings.emptyAsNull = "always"
                remarks.append("a guess: empty texts in quotes stand for no value")
            } else {
                remarks.append("empty texts in quotes stay texts; with emptyAsNull: always they count as NULL")
            }
        }
        let isFilled = match.attribute.isOptional || match.attribute.description.defaultValue != nil
        if !isFilled, match.values.absentCount > 0 {
            remarks.append("required, and without value in the sample \(match.values.absentCount) times")
        }
        result.remark = remarks.isEmpty ? nil : remarks.joined(separator: "; ")
        return result
    }

    private func faults(
        of values: SampledValues, _ conversion: ValueConversion, _ check: AttributeRules
    ) -> (count: Int, sentence: String, example: String)? {
        guard check.hasRules else { return nil }
        var batch = values.batch
        var count = 0
        var first: (sentence: String, example: String)?
        for field in values.fields {
            guard let value = try? conversion.convert(field, in: &batch), value != .null,
                let fault = check.fault(value, in: batch.arena)
            else { continue }
            count += 1
            first = first ?? (fault.sentence, values.text(field))
        }
        return first.map { (count, $0.sentence, $0.example) }
    }
}
