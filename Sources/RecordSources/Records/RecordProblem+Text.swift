extension RecordProblem {
    /// The problem and its remedy, without the place.
    public var sentence: String {
        switch code {
        case .tooFewFields:
            "the record has only \(fieldCount) field\(fieldCount == 1 ? "" : "s"); add the missing ones, "
                + "or say \"ragged: true\" in a mapping"
        case .tooManyFields:
            "the record has \(fieldCount) fields, too many; quote the delimiters in its values, or say "
                + "\"ragged: true\" in a mapping"
        case .strayQuote: "a quote is inside a value; double it, or say \"quote: none\" in a mapping"
        case .unclosedQuote: "the quote that opens in line \(line) is never closed; close it"
        case .unclosedValue: "the value that begins in line \(line) is never closed; close its brackets and quotes"
        case .tooLarge:
            "the record has \(byteCount > 0 ? "\(byteCount) bytes, more than" : "more bytes than") the \(limit) that one may "
                + "have, and is not among the rejected records; allow more (--max-record-size), or split it"
        case .undecodable:
            "the bytes are not valid in the encoding of the source; name the \"encoding\" in a mapping, or correct them"
        case .malformed: "the record is not well-formed"
        case .tooDeep: "the record nests its values too deeply"
        case .tooManyValues: "the record has too many values"
        case .duplicateKey: "a key occurs twice in one object; remove one of them"
        case .loneSurrogate: "an escape stands for half a character; give both halves of the surrogate pair"
        case .formulaWithoutValue:
            "the formula in column \(fieldCount) has no value; open the file in a spreadsheet program, and save it"
        case .notAnObject: "the record is not an object; records have named values"
        }
    }
}
