#include "config/redaction.hpp"

#include <gtest/gtest.h>
#include <string>

namespace outrider::config {
namespace {

TEST(RedactStoreUrl, HidesThePasswordOfAUrl) {
  EXPECT_EQ(redact_store_url("postgres://app:secret@db:5432/app"),
            "postgres://app:***@db:5432/app");
  EXPECT_EQ(redact_store_url("postgresql://:secret@/app"), "postgresql://:***@/app");
  EXPECT_EQ(redact_store_url("postgres://app:secret@a:1,b:2/app?x=1"),
            "postgres://app:***@a:1,b:2/app?x=1");
  EXPECT_EQ(redact_store_url("other://app:secret@db"), "other://app:***@db");
}

TEST(RedactStoreUrl, HidesPasswordParametersOfAUrl) {
  EXPECT_EQ(redact_store_url("postgres://db/app?user=a&password=secret&sslmode=require"),
            "postgres://db/app?user=a&password=***&sslmode=require");
  EXPECT_EQ(redact_store_url("postgres:///app?sslpassword=secret"),
            "postgres:///app?sslpassword=***");
  EXPECT_EQ(redact_store_url("postgres:///app?pass%77ord=secret"),
            "postgres:///app?pass%77ord=***");
  EXPECT_EQ(redact_store_url("postgres:///app?password=a?secret&x=1"),
            "postgres:///app?password=***&x=1");
}

TEST(RedactStoreUrl, IsNotMisledByColonsAndAtSignsInParameters) {
  for (const char* url : {"postgres://app@db/app?password=secret&options=a:b@c",
                          "postgres://app@db/app?options=a:b@c&password=secret",
                          "postgres://app:secret@db/app?options=a@c&password=secret",
                          "postgres://db/?password=a:secret@",
                          "postgres://app:secret?password=secret@db/app?sslpassword=secret"}) {
    EXPECT_EQ(redact_store_url(url).find("secret"), std::string::npos) << redact_store_url(url);
  }
}

TEST(RedactStoreUrl, HidesPasswordsOfConnectionStrings) {
  EXPECT_EQ(redact_store_url("host=db password=secret dbname=app"),
            "host=db password=*** dbname=app");
  EXPECT_EQ(redact_store_url("password = 'two words' host=db"), "password = *** host=db");
  EXPECT_EQ(redact_store_url(R"(password='it\'s secret' host=db)"), "password=*** host=db");
  EXPECT_EQ(redact_store_url(R"(password=a\ b host=db)"), "password=*** host=db");
  EXPECT_EQ(redact_store_url("sslpassword=x password=y"), "sslpassword=*** password=***");
}

TEST(RedactStoreUrl, ChangesNothingTheSecondTime) {
  for (const char* url : {"a b=c d", "password='x''y", "password='x'password='y'", "a [[=) ;",
                          "host=db password=secret dbname=app", "postgres://u:p@h/d?password=x"}) {
    const std::string once = redact_store_url(url);
    EXPECT_EQ(redact_store_url(once), once) << url;
  }
}

TEST(RedactStoreUrl, LeavesWhatHasNoPassword) {
  for (const char* url :
       {"", "outrider", "sqlite:outrider.db", "sqlite:a:b@c?password=d", "postgres://db/app",
        "postgres://app@db/app?sslmode=require", "host=db dbname='my app'", "host=db "}) {
    EXPECT_EQ(redact_store_url(url), url);
  }
}

TEST(RedactStoreUrl, HidesTooMuchRatherThanTooLittleWhenMalformed) {
  for (const char* url : {"postgres://app:se@secret/x@db/app", "postgres://app:x?secret@db",
                          "host=db password='secret", "host=db password 'secret'", "password=\\",
                          "secret word", "app:secret@db", "host=db password secret dbname=app",
                          "password='secret' 'secret' host=db"}) {
    EXPECT_EQ(redact_store_url(url).find("secret"), std::string::npos) << redact_store_url(url);
  }
}

}  // namespace
}  // namespace outrider::config
