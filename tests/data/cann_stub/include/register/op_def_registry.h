// A stand-in for CANN's definitions of operators. Each definition becomes lines of text that tests read.
#pragma once

#include <initializer_list>
#include <map>
#include <string>

#include "register/contexts.h"

namespace ops {

enum Option { IGNORE, OPTIONAL, REQUIRED };

/// Collects what is said of a definition.
class Said {
public:
    void Add(const std::string &line) { text += line + "\n"; }
    void Append(const std::string &piece) { text.insert(text.size() - 1, piece); }

    std::string text;
};

inline std::string Numbers(const std::vector<int> &values)
{
    std::string text;
    for (int value : values) {
        text += (text.empty() ? "" : ",") + std::to_string(value);
    }
    return text;
}

inline const char *Name(Option option) { return option == REQUIRED ? " required" : " optional"; }

class OpParamDef {
public:
    explicit OpParamDef(Said &said) : said_(&said) {}
    OpParamDef &ParamType(Option option) { return Say(Name(option)); }
    OpParamDef &ValueDepend(Option option) { return Say(std::string(" values") + Name(option)); }
    OpParamDef &DataType(std::vector<ge::DataType> types)
    {
        return Say(" dtypes " + Numbers(std::vector<int>(types.begin(), types.end())));
    }
    OpParamDef &Format(std::vector<ge::Format> formats)
    {
        return Say(" formats " + Numbers(std::vector<int>(formats.begin(), formats.end())));
    }

private:
    OpParamDef &Say(const std::string &piece)
    {
        said_->Append(piece);
        return *this;
    }
    Said *said_;
};

class OpAttrDef {
public:
    explicit OpAttrDef(Said &said) : said_(&said) {}
    OpAttrDef &AttrType(Option option) { return Say(Name(option)); }
    OpAttrDef &Int() { return Say(" int"); }
    OpAttrDef &Int(int64_t value) { return Say(" int " + std::to_string(value)); }
    OpAttrDef &Bool() { return Say(" bool"); }
    OpAttrDef &Bool(bool value) { return Say(value ? " bool true" : " bool false"); }
    OpAttrDef &Float() { return Say(" float"); }
    OpAttrDef &Float(float value) { return Say(" float " + std::to_string(value)); }
    OpAttrDef &String() { return Say(" text"); }
    OpAttrDef &String(const char *value) { return Say(std::string(" text ") + value); }
    OpAttrDef &ListInt() { return Say(" integers"); }
    OpAttrDef &ListInt(std::vector<int64_t> values)
    {
        return Say(" integers [" + Numbers(std::vector<int>(values.begin(), values.end())) + "]");
    }

private:
    OpAttrDef &Say(const std::string &piece)
    {
        said_->Append(piece);
        return *this;
    }
    Said *said_;
};

class OpAICoreDef {
public:
    explicit OpAICoreDef(Said &said) : said_(&said) {}
    OpAICoreDef &SetTiling(ge::graphStatus (*function)(gert::TilingContext *)) { return (tiling = function, *this); }
    OpAICoreDef &AddConfig(const char *soc)
    {
        said_->Add(std::string("config ") + soc);
        return *this;
    }

    ge::graphStatus (*tiling)(gert::TilingContext *) = nullptr;

private:
    Said *said_;
};

class OpDef {
public:
    explicit OpDef(const char *name) : core_(said) { said.Add(std::string("operator ") + name); }
    OpParamDef Input(const char *name) { return Parameter("input ", name); }
    OpParamDef Output(const char *name) { return Parameter("output ", name); }
    OpAttrDef Attr(const char *name)
    {
        said.Add(std::string("attribute ") + name);
        return OpAttrDef(said);
    }
    OpDef &SetInferShape(ge::graphStatus (*function)(gert::InferShapeContext *)) { return (shape = function, *this); }
    OpDef &SetInferDataType(ge::graphStatus (*function)(gert::InferDataTypeContext *))
    {
        return (dtype = function, *this);
    }
    OpAICoreDef &AICore() { return core_; }

    Said said;
    ge::graphStatus (*shape)(gert::InferShapeContext *) = nullptr;
    ge::graphStatus (*dtype)(gert::InferDataTypeContext *) = nullptr;

private:
    OpParamDef Parameter(const char *kind, const char *name)
    {
        said.Add(std::string(kind) + name);
        return OpParamDef(said);
    }
    OpAICoreDef core_;
};

/// The operators of a library by name.
std::map<std::string, OpDef *> &Registry();

template <typename Operator>
int Register(const char *name)
{
    Registry()[name] = new Operator(name);
    return 0;
}

}  // namespace ops

#define OP_ADD(Type) static const int g_##Type##_added = ops::Register<Type>(#Type)
