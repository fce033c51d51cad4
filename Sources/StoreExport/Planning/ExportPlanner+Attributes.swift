import ImportMappings
import KeyedArchives
import ManagedObjectModels
import PersistentStores
import PredicateExpressions
import RecordConversion
import SQLiteAccess
import StoreFetching
import ValueTransformers

extension ExportPlanner {
    // MARK: Attributes

    mutating func add(
        _ mapped: AttributeMapping, of object: RecordObject, _ outer: ConversionSettings, _ source: SourceMapping,
        to columns: inout ColumnList
    ) throws {
        let entity = object.entity
        let place = "\(source.name): \(entity.name).\(mapped.attribute)"
        guard let attribute = entity.attribute(named: mapped.attribute), attribute.isStored else {
            return problems.append(ExportProblem(place, "the store has no such attribute"))
        }
        let settings = mapped.conversion.inheriting(outer)
        let form = ValueForm(attribute.description)
        columns.nullTokens = Array(Set(columns.nullTokens + (settings.nullTokens ?? []))).sorted()
        let names: [String]
        switch mapped.value {
        case .constant(let text):
            guard Self.isComparable(attribute.type) else {
                columns.needsTrial = true
                return
            }
            return try checkConstant(text, attribute, entity, &columns, at: place)
        case .template, .expression:
            columns.needsTrial = true
            guard let style = style(settings, of: attribute, at: place).map(\.style) else { return }
            columns.deferred.append(
                DeferredAttribute(
                    mapped: mapped, attribute: object.content(attribute.name), form: form, style: style, place: place))
            return
        case .column(let name): names = [name]
        case .firstOf(let all): names = all
        }
        guard !names.isEmpty, let style = style(settings, of: attribute, at: place) else { return }
        if isThorough { try checkData(mapped, attribute, entity, settings, &columns, at: place) }
        var content = object.content(attribute.name)
        if attribute.type == .transformable, let archive = settings.archive.flatMap({ ArchiveForm(rawValue: $0) }) {
            columns.needsTrial = true
            guard let text = text(archive, of: content, attribute, entity, settings, at: place) else { return }
            return columns.add(firstOf: names, .computed(text), ValueStyle(), form: text.isJSON ? .json : .text)
        }
        if let text = style.text {
            columns.needsTrial = true
            // Files are named after their objects.
            let owner = object.presence ?? .expression(.evaluatedObject)
            content = .computed(ComputedText(of: text.needsKey ? [content, owner] : [content], text.body))
        }
        columns.add(firstOf: names, content, style.style, form: style.text == nil ? form : .text)
    }

    private static func isComparable(_ type: AttributeType) -> Bool {
        [.string, .integer16, .integer32, .integer64].contains(type)
    }

    // MARK: Styles

    /// How a value is written: by the writer itself, or as a computed text.
    struct WrittenForm {
        var style = ValueStyle()
        var text: (body: ComputedText.Body, needsKey: Bool)?
    }

    mutating func style(
        _ settings: ConversionSettings, of attribute: ResolvedAttribute, isKey: Bool = false, at place: String
    ) -> WrittenForm? {
        var form = WrittenForm()
        switch attribute.type {
        case .date:
            switch settings.date ?? "iso8601" {
            case "iso8601": form.style.dates = .iso8601
            case "seconds2001": form.style.dates = .seconds2001
            case "seconds1970": form.style.dates = .seconds1970
            default: form.text = dateText(settings, isKey: isKey, at: place).map { ($0, false) }
            }
        case .binaryData, .transformable:
            switch settings.binary ?? (settings.folder == nil ? "base64" : "file") {
            case "base64": form.style.binary = .base64
            case "hex": form.style.binary = .hexadecimal
            case "text": form.text = (plainText(of: attribute), false)
            default:
                let write = files.writer(to: settings.folder ?? "")
                let bytes = externalBytes(of: attribute)
                form.text = (
                    { values in
                        guard let data = try bytes(values[0]) else { return nil }
                        let object = values[1].string?.split(separator: "/").suffix(2).joined(separator: "-") ?? ""
                        return try write(data, "\(object)-\(attribute.name)")
                    }, true
                )
            }
        case .boolean:
            form.style.yes = settings.yes?.first ?? "1"
            form.style.no = settings.no?.first ?? "0"
        case .decimal, .double, .float:
            if let separator = settings.decimalSeparator?.utf8.first { form.style.decimalSeparator = separator }
        default: break
        }
        return form
    }

    /// Returns dates as a pattern or a number requires. Loss of precision is detected when the text is read again.
    private mutating func dateText(
        _ settings: ConversionSettings, isKey: Bool, at place: String
    ) -> ComputedText.Body? {
        guard let conversion = dateConversion(settings, at: place) else { return nil }
        return { values in
            guard let seconds = values[0].real else { return nil }
            // Keys are not part of the trial.
            guard isKey else { return conversion.text(of: seconds) }
            if let text = conversion.exactText(of: seconds) { return text }
            throw FetchError(
                .valueNotWritable(
                    column: place, reason: "the date \(seconds) (seconds since 2001) has no exact form; use iso8601"))
        }
    }

    /// Returns the conversion that the settings specify for dates; nil if they are invalid, with a problem added.
    private mutating func dateConversion(_ settings: ConversionSettings, at place: String) -> DateConversion? {
        do {
            return try DateConversion(settings)
        } catch {
            problems.append(ExportProblem(place, "\(error)"))
            return nil
        }
    }

    /// Returns the bytes of an attribute as text, if they are text.
    private func plainText(of attribute: ResolvedAttribute) -> ComputedText.Body {
        let bytes = externalBytes(of: attribute)
        return { values in
            guard let data = try bytes(values[0]) else { return nil }
            return (try? UTF8Span(validating: data.span)) == nil ? nil : data
        }
    }

    /// Writes the values of a transformable attribute; a value of another kind than the mapping specifies is left out.
    private mutating func text(
        _ form: ArchiveForm, of content: FetchedProperty.Content, _ attribute: ResolvedAttribute,
        _ entity: ResolvedEntity, _ settings: ConversionSettings, at place: String
    ) -> ComputedText? {
        let (transformers, description) = (transformers, attribute.description)
        guard form == .string || form == .date else {
            return ComputedText(jsonOf: content, description, of: entity.name, transformers)
        }
        let bytes = externalBytes(of: attribute)
        guard let dates = dateConversion(settings, at: place) else { return nil }
        return ComputedText(of: [content]) { values in
            guard let data = try bytes(values[0]) else { return nil }
            switch try? transformers.value(of: data, for: description, of: entity.name) {
            case .string(let text)? where form == .string: return Array(text.utf8)
            case .date(let seconds)? where form == .date: return dates.text(of: seconds)
            default: return nil
            }
        }
    }

    /// Returns the binary data of a column, which may be in an external file.
    private func externalBytes(of attribute: ResolvedAttribute) -> @Sendable (SQLiteValue) throws -> [UInt8]? {
        let reader = attribute.description.hasExternalData ? ExternalDataReader(of: store.files) : nil
        return { value in
            guard let blob = value.blob else { return nil }
            return try reader?.bytes(of: blob) ?? blob
        }
    }
}
